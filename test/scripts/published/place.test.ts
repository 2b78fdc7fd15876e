import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Place } from '../../../scripts/published/place.ts'

/** Starts a process of its own that connects to a port, and waits. */
const parentOf = (child: string) => `
require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}])
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
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const parent = parentOf(`require('node:net').connect(${port}, '127.0.0.1')`)
    const running = place().run(process.execPath, '-e', parent).catch(String)
    const [socket] = (await once(server, 'connection')) as [Socket]
    // A process that is killed may reset its connections.
    const isOver = once(socket.on('error', () => undefined).resume(), 'close')
    stop.abort(new Error('enough'))
    expect(await running).to.include('ended with -1')
    await isOver
    server.close()
    expect(await place().run('true').catch(String)).to.equal('Error: enough')
  })
})
