import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { explainRun } from '../../src/agent/internal.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { caller, schema, tool } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const SCRIPT = [
  {
    when: { step: 1 },
    then: { text: 'Let me look.', tool_calls: [{ name: 'look', input: { at: 'sky' } }] },
  },
  { then: { text: 'It is blue.' } },
]

/** A request of each protocol that the server stores, and whether it is asked for a stream. */
const REQUESTS = {
  'ui-message-stream': ['/api/chat', chatBody('talk', [user('q', 'look')])],
  'ag-ui': [
    '/ag-ui',
    {
      threadId: 'talk',
      runId: 'own',
      messages: [{ id: 'q', role: 'user', content: 'look' }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: { agent: 'quick' },
    },
  ],
  'chat-completions': [
    '/v1/chat/completions',
    {
      model: 'quick',
      messages: [{ role: 'user', content: 'look' }],
      stream: true,
      stream_options: { include_usage: true },
      store: true,
    },
  ],
  responses: ['/v1/responses', { model: 'quick', input: 'look', stream: true, store: true }],
} as const

describe('a stored run, read again', () => {
  let storage: Storage
  beforeEach(() => {
    storage = memoryStorage()
  })

  const look = tool('look', { getToolSchemas: () => [schema('look')], executeTool: () => 'blue' })
  const config = { settings: { scripted: { delay_ms: 0, script: SCRIPT } } }
  const working = () =>
    Served.start({ models: { quick: {} }, storage }, { plugins: [scripted, look], config })
  /** After a restart, with a model that answers nobody. */
  const broken = () => {
    const away = () => Promise.reject(new Error('The model was asked.'))
    const plugins = [caller('away', [], { call: away })]
    return Served.start({ models: { quick: {} }, storage }, { plugins, config: {} })
  }

  for (const [protocol, [path, body]] of Object.entries(REQUESTS)) {
    it(`LR-18 is the same text in ${protocol}, after a restart and without a provider`, async () => {
      const first = await working()
      const told = await first.ask(path, { body })
      expect(told.status).to.equal(200)
      const run = told.headers.get('x-run-id')
      await first.close()
      const second = await broken()
      const again = await second.ask(`/runs/${run}/events?protocol=${protocol}`)
      await second.close()
      const text = again.text.replaceAll(`"runId":"${run}"`, '"runId":"own"')
      expect(text).to.equal(told.text.replaceAll(`"runId":"${run}"`, '"runId":"own"'))
      expect(text).to.include('blue')
    })
  }

  it('LR-18 can be read in every protocol, whichever it was asked in', async () => {
    const served = await working()
    const told = await served.ask('/api/chat', { body: chatBody('talk', [user('q', 'look')]) })
    const run = told.headers.get('x-run-id')
    for (const protocol of [...Object.keys(REQUESTS), 'anthropic-messages']) {
      const { status, text } = await served.ask(`/runs/${run}/events?protocol=${protocol}`)
      expect(status).to.equal(200)
      expect(text, protocol).to.include('blue.')
    }
    await served.close()
  })

  it('says which protocols there are, and is nobody else’s', async () => {
    const served = await working()
    const told = await served.ask('/api/chat', { body: chatBody('talk', [user('q', 'look')]) })
    const run = told.headers.get('x-run-id')
    const unknown = await served.ask(`/runs/${run}/events?protocol=soap`)
    expect([unknown.status, unknown.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && text.includes('ag-ui'),
    )
    const foreign = await served.ask(`/runs/${run}/events?protocol=ag-ui`, { as: 'bob' })
    expect(foreign.status).to.equal(404)
    await served.close()
  })

  it('LR-18 is one answer with one end, however often it waited for a person', async () => {
    const asking = { ...config, tool_policy: { look: 'ask' } } as const
    const served = await Served.start(
      { models: { quick: {} }, storage },
      { plugins: [scripted, look], config: asking },
    )
    const told = await served.ask('/api/chat', { body: chatBody('talk', [user('q', 'look')]) })
    const run = told.headers.get('x-run-id') ?? ''
    const [approval] = await storage.approvals.list('ada', run)
    await served.ask(`/approvals/${approval?.id}`, { body: { approved: true } })
    await served.ask(`/runs/${run}/events`)
    const { text } = await served.ask(`/runs/${run}/events?protocol=ui-message-stream`)
    await served.close()
    expect(text.split('"type":"finish"').length - 1).to.equal(1)
    expect(text).to.include('look').and.include('blue.')
  })

  it('LR-18 explains its model, its tools and its calls from its events alone', async () => {
    const served = await working()
    const told = await served.ask('/api/chat', { body: chatBody('talk', [user('q', 'look')]) })
    await served.close()
    const run = await storage.runs.load('ada', told.headers.get('x-run-id') ?? '')
    const explanation = explainRun(run!, await storage.runs.events('ada', run!.id))
    expect(explanation).to.deep.include({ agent: 'quick', termination: { reason: 'natural_end' } })
    expect(explanation.run).to.include({ status: 'done', conversationId: 'talk' })
    expect(explanation.models).to.have.length(1)
    expect(explanation.models[0]).to.deep.include({
      chosen: { provider: 'scripted', model: 'scripted-1' },
      reason: 'It is the model of the config.',
    })
    expect(explanation.tools.map(({ tool_name, offered }) => [tool_name, offered])).to.deep.include(
      ['look', true],
    )
    expect(explanation.steps.map(({ calls }) => calls.length)).to.deep.equal([1, 0])
    const [call] = explanation.steps[0]?.calls ?? []
    expect(call).to.deep.include({ name: 'look', input: { at: 'sky' }, state: 'succeeded' })
    expect(call?.policy).to.include({ decision: 'allow' })
  })
})
