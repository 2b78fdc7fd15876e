import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { startServer } from '../../bench/measure.ts'
import { SideProcess } from '../../bench/side-process.ts'
import type { Times } from '../../bench/sides/paced-process.ts'
import { bundledProgram } from '../helpers/bundled-program.ts'
import { ROOT } from '../helpers/source-files.ts'

const BARE = 'fetch, eventsource-parser, JSON.parse'
const KINDS = [
  ['stream', 0, BARE],
  ['stream', 1, 'braidwork, 3 extensions'],
  ['stream of many sides', 1, BARE],
  ['stream of many sides', 5, 'braidwork, 10 extensions'],
  ['send', 0, 'fetch, response.json()'],
  ['send', 1, 'braidwork, send'],
] as const

const SIDES = join(ROOT, 'bench', 'sides')
const PACED = [BARE, 'braidwork, 3 extensions']

describe('the process of a side of the benchmark', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  let pacedServer: typeof server
  let side: SideProcess | undefined

  before(async () => {
    server = await startServer({ CHUNKS: '2' })
    pacedServer = await startServer({ CHUNKS: '60', PACE: '20' })
  })
  after(() => {
    server.close()
    pacedServer.close()
  })
  afterEach(() => side?.close())

  async function startSide(program: string, ...args: readonly string[]): Promise<void> {
    const bundle = await bundledProgram(join(SIDES, program))
    side = await SideProcess.start(pathToFileURL(bundle), args)
  }

  for (const [kind, at, name] of KINDS) {
    it(`tells its name and measures ${kind}, ${name}`, async () => {
      await startSide('in-process.ts', kind, server.url, 'chat', String(at))
      expect(side?.what).to.equal(name)
      const { cpu, time } = (await side?.ask<{ cpu: number; time: number }>(2)) ?? {}
      expect(cpu).to.be.above(0)
      expect(time).to.be.above(0)
    })
  }

  for (const [at, name] of PACED.entries()) {
    it(`tells its name and measures paced streams, ${name}`, async () => {
      await startSide('paced-process.ts', pacedServer.url, String(at))
      expect(side?.what).to.equal(name)
      const times = await side?.ask<Times>({ count: 2, measured: 'times' })
      expect(times).to.have.keys('p50', 'p99', 'steadyP99', 'cpu')
      expect(times?.cpu).to.be.above(0)
      expect(await side?.ask<number>({ count: 2, measured: 'memory' })).to.be.a('number')
    })
  }
})
