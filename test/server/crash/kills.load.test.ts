import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sampled, turnOfCommit } from '../../helpers/cases.ts'
import { CRASH_MODEL, type CrashFolder, crashFolder } from './crash-folder.ts'
import { crashRound, type Moment } from './crash-round.ts'
import { framesOf, ServerProcess, type StoredEvent } from './server-process.ts'

const UNKNOWN_OUTCOME =
  'The run was interrupted while the call ran; whether the call took effect is not known.'

/** Early or late, for each commit, and as the first run ends. */
const MOMENTS: readonly Moment[] = [...sampled([150, 1500], 2, turnOfCommit(2)), 'first-ending']

describe('a server that is killed', () => {
  let folder: CrashFolder
  const servers: ServerProcess[] = []

  beforeEach(async () => {
    folder = await crashFolder()
  })

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.kill()))
    await folder.remove()
  })

  async function start(): Promise<ServerProcess> {
    const server = await ServerProcess.start(folder.folder)
    servers.push(server)
    return server
  }

  function ask(server: ServerProcess, text: string, id = 'talk'): Promise<Response> {
    const messages = [{ id: `q-${text}`, role: 'user', parts: [{ type: 'text', text }] }]
    return server.post('/api/chat', { id, messages, agent: CRASH_MODEL })
  }

  /** Reads a run's own events until one of a type has come. */
  async function until(server: ServerProcess, runId: string, type: string): Promise<StoredEvent> {
    for await (const event of server.events(runId)) if (event.type === type) return event
    throw new Error(`No ${type} came.`)
  }

  const calls = () => readFileSync(join(folder.folder, 'calls.txt'), 'utf8')

  for (const moment of MOMENTS) {
    const when = moment === 'first-ending' ? 'as its first run ends' : `after ${moment} events`
    it(`${when} has lost nothing that was read, and says what was interrupted`, async () => {
      const { inFlight, read, faults } = await crashRound(folder, { runs: 24, moment })
      expect(faults).to.deep.equal([])
      expect(read).to.be.at.least(moment === 'first-ending' ? 24 : moment)
      if (moment !== 'first-ending') expect(inFlight).to.be.at.least(10)
    }).timeout(30_000)
  }

  it('while a tool runs says that its outcome is not known, and calls it no second time', async () => {
    const server = await start()
    const response = await ask(server, 'hang')
    const runId = response.headers.get('x-run-id') ?? ''
    await until(server, runId, 'tool-execution-start')
    // The event is stored before the tool is called, and may be read before that.
    while (!existsSync(join(folder.folder, 'calls.txt'))) await server.activeRuns()
    await server.kill()
    const next = await start()
    const { messages } = await next.conversation('talk')
    const part = messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool')
    expect(part).to.include({ state: 'output-error', errorText: UNKNOWN_OUTCOME })
    expect(calls()).to.equal('hang\n')
    const again = await ask(next, 'Go on.')
    expect(again.status).to.equal(200)
    await again.body?.cancel()
  })

  /** That a run which called "note" has come to its end, and called it once. */
  async function expectNoted(server: ServerProcess, runId: string): Promise<void> {
    const types: string[] = []
    for await (const { type } of server.events(runId)) types.push(type)
    expect(types.at(-1)).to.equal('finish')
    expect(calls()).to.equal('note\n')
    const { messages, run } = await server.conversation('talk')
    expect(messages.at(-1)?.parts.at(-1)).to.include({ type: 'text', text: 'It is noted.' })
    expect(run).to.equal(undefined)
  }

  it('while a call waits for an approval still waits, and goes on when it is answered', async () => {
    const server = await start()
    const response = await ask(server, 'note')
    const runId = response.headers.get('x-run-id') ?? ''
    const { approvalId } = await until(server, runId, 'approval-required')
    await until(server, runId, 'finish')
    await server.kill()
    const next = await start()
    expect((await next.conversation('talk')).run).to.include({ id: runId, status: 'suspended' })
    await next.post(`/approvals/${approvalId}`, { approved: true })
    await expectNoted(next, runId)
  })

  it('between storing an answer and going on with it goes on by itself when it serves again', async () => {
    const program = new URL('./dying-server.ts', import.meta.url)
    const server = await ServerProcess.runCompiled(folder.folder, program)
    servers.push(server)
    const response = await ask(server, 'note')
    const runId = response.headers.get('x-run-id') ?? ''
    const { approvalId } = await until(server, runId, 'approval-required')
    await until(server, runId, 'finish')
    const path = `/approvals/${approvalId}`
    const [answered, signal] = await Promise.all([
      server.post(path, { approved: true }).catch(() => 'cut off'),
      server.ended(),
    ])
    expect([answered, signal]).to.deep.equal(['cut off', 'SIGKILL'])
    const next = await start()
    await expectNoted(next, runId)
  }).timeout(30_000)

  it('lets its conversations go on at once, no lease to be waited for', async () => {
    const server = await start()
    for await (const { type } of framesOf<StoredEvent>(await ask(server, 'Go on.'))) {
      if (type === 'text-delta') break
    }
    await server.kill()
    const next = await start()
    const again = await ask(next, 'And now?')
    let last: StoredEvent | undefined
    for await (const frame of framesOf<StoredEvent>(again)) last = frame
    expect(last?.type).to.equal('finish')
  })
})
