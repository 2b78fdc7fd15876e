import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const SCRIPT = [
  { when: { step: 1, equals: 'deploy' }, then: { tool_calls: [{ name: 'deploy', input: {} }] } },
  { then: { text: 'Done.' } },
]
const CONFIG = { settings: { scripted: { delay_ms: 0, script: SCRIPT } } }
const ANSWER =
  '[The call was interrupted while it ran. The tool answered afterwards:]\ndeployed version 3'

/** A tool that goes on when its call is cancelled, and answers when it is told to. */
function slowTool() {
  let begin: () => void = () => undefined
  let answer: () => void = () => undefined
  const began = new Promise<void>((resolve) => {
    begin = resolve
  })
  const answered = new Promise<string>((resolve) => {
    answer = () => resolve('deployed version 3')
  })
  const deploy = tool('deploy', {
    getToolSchemas: () => [schema('deploy')],
    executeTool: () => {
      begin()
      return answered
    },
  })
  return { deploy, began, answer: () => answer() }
}

describe('a tool that goes on after its run was stopped', () => {
  let served: Served
  let storage: Storage
  let slow: ReturnType<typeof slowTool>
  let logged: string[]
  beforeEach(async () => {
    slow = slowTool()
    storage = memoryStorage()
    logged = []
    served = await Served.start(
      { models: { quick: {} }, storage, log: ({ message }) => logged.push(message) },
      { plugins: [scripted, slow.deploy], config: CONFIG },
    )
  })
  afterEach(() => served.close())

  /** Starts a run whose tool works, stops it, and returns its id. */
  async function stopped(): Promise<string> {
    const response = await served.fetch('/api/chat', {
      body: chatBody('talk', [user('u', 'deploy')]),
    })
    await slow.began
    const id = response.headers.get('x-run-id') ?? expect.fail('no run')
    const stop = await served.fetch(`/runs/${id}/stop`, { method: 'POST' })
    expect(await stop.json()).to.deep.equal({ stopped: true })
    expect(await response.text()).to.include('[DONE]')
    return id
  }

  async function lateEvent(id: string): Promise<RunEvent> {
    for (;;) {
      const event = await storage.runs.lastEvent('ada', id, 'tool-execution-late')
      if (event) return event
      await new Promise(setImmediate)
    }
  }

  const resultsOf = async () =>
    (await storage.conversations.history('ada', 'talk')).flatMap((entry) =>
      entry.kind === 'message'
        ? entry.message.parts.filter((part) => part.type === 'tool-result')
        : [],
    )

  it('LR-03 is answered at once; what it answers later is told, and shown to the model', async () => {
    const id = await stopped()
    expect((await resultsOf())[0]).to.deep.include({ isError: true })
    slow.answer()
    const late = await lateEvent(id)
    expect(await resultsOf()).to.have.length(1)
    expect((await resultsOf())[0]).to.deep.include({ output: ANSWER })
    expect((await resultsOf())[0]).to.not.have.property('isError')
    const events = await (await served.fetch(`/runs/${id}/events`)).text()
    expect(events.indexOf('event: abort')).to.be.within(0, events.indexOf(`event: ${late.type}`))
    const next = await served.fetch('/api/chat', { body: chatBody('talk', [user('v', 'go on')]) })
    expect(await next.text()).to.include('Done.')
    expect(logged.filter((message) => message.includes('late'))).to.deep.equal([])
  })

  it('adds nothing to the answer of a client that comes back', async () => {
    const id = await stopped()
    const again = () =>
      served.fetch(`/api/chat/talk/stream?sdk=6&run=${id}`).then((response) => response.text())
    const before = await again()
    expect(before).to.include('abort')
    slow.answer()
    await lateEvent(id)
    expect(await again()).to.equal(before)
  })

  it('does not hold up the end of the server', async () => {
    await stopped()
    const since = performance.now()
    await served.close()
    expect(performance.now() - since).to.be.below(5000)
  })
})
