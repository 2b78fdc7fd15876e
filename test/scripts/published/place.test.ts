import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Place } from '../../../scripts/published/place.ts'

/** Starts a process of its own, writes that one's id, and waits. */
const PARENT = `
const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
require('node:fs').writeFileSync('id', String(child.pid))
setInterval(() => {}, 1000)
`

describe('a place of commands', function () {
  this.timeout(30_000)
  let folder: string
  let stop: AbortController
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    stop = new AbortController()
  })
  afterEach(() => rm(folder, { recursive: true }))

  const place = (variables: NodeJS.ProcessEnv = {}) => new Place(folder, variables, stop.signal)

  it('runs a command in its folder, with its variables and those of the outer one', async () => {
    const inner = place({ OUTER: 'a' }).at('inner', { INNER: 'b' })
    const code = 'console.log(process.cwd(), process.env.OUTER, process.env.INNER)'
    const { out } = await inner.run(process.execPath, '-e', code)
    expect(out).to.equal(`${join(folder, 'inner')} a b\n`)
  })

  it('says what a command printed that failed', async () => {
    const run = place().run(process.execPath, '-e', 'console.error("broken"); process.exit(3)')
    const fault = await run.catch(String)
    expect(fault).to.match(/ended with 3\.\nbroken$/)
  })

  it('ends all that a command has started, and starts no more', async () => {
    const running = place().run(process.execPath, '-e', PARENT).catch(String)
    const file = join(folder, 'id')
    while (!existsSync(file) || (await readFile(file, 'utf8')) === '') await sleep(20)
    stop.abort(new Error('enough'))
    expect(await running).to.include('ended with -1')
    const id = Number(await readFile(file, 'utf8'))
    const isOver = () => !existsSync(`/proc/${id}`)
    for (let left = 100; left > 0 && !isOver(); left--) await sleep(50)
    expect(isOver()).to.equal(true)
    expect(await place().run('true').catch(String)).to.equal('Error: enough')
  })
})
