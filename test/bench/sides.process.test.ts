import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { startServer } from '../../bench/measure.ts'
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

/** The first message of a process. @throws if it ends without one */
async function said(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process ended without a message.')
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}

describe('the process of a side of the benchmark', () => {
  for (const [kind, at, name] of KINDS) {
    it(`tells its name and measures ${kind}, ${name}`, async () => {
      const server = await startServer({ CHUNKS: '2' })
      const path = join(ROOT, 'bench', 'sides', 'in-process.ts')
      const child = fork(path, [kind, server.url, 'chat', String(at)])
      try {
        expect(await said(child)).to.equal(name)
        child.send(2)
        const { cpu, time } = (await said(child)) as { cpu: number; time: number }
        expect(cpu).to.be.above(0)
        expect(time).to.be.above(0)
      } finally {
        child.kill()
        server.close()
      }
    })
  }
})
