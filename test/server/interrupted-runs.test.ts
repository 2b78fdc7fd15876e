import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import type { RunEventBody } from '../../src/plugin/events/index.ts'
import type { Identity, PublishedModels, ServerOptions } from '../../src/server/index.ts'
import { chatBody, Served, user } from './routes/served.ts'

const ID = 'run-1'
const TALK = 'talk'
/** No process: every server takes its runs at once. */
const NOBODY = { holder: '', expiresAt: 0 }

const MODELS: PublishedModels = {
  steady: { config: { on_interrupt: 'resume' } },
  quick: {},
}

const CALL = { callId: 'c', name: 'calculate', input: { expression: '6 * 7' } } as const

/** A run whose process ended while it called the calculator, which only reads. */
const BEGUN: readonly RunEventBody[] = [
  { type: 'start', requestId: 'r' },
  { type: 'step-start', step: 1, requestId: 'r' },
  { type: 'tool-call-start', id: 'c', name: 'calculate' },
  { type: 'tool-call-end', id: 'c', input: CALL.input },
  {
    type: 'step-finish',
    step: 1,
    finishReason: 'tool-calls',
    usage: {},
    messages: [{ role: 'assistant', parts: [{ type: 'tool-call', ...CALL }] }],
  },
]

describe('a run whose server has ended', () => {
  let storage: Storage
  let served: Served[]
  let logged: string[]
  beforeEach(() => {
    storage = memoryStorage()
    served = []
    logged = []
  })
  afterEach(async () => {
    for (const one of served) await one.close()
  })

  async function serve(options: Partial<ServerOptions> = {}): Promise<Served> {
    const log: ServerOptions['log'] = ({ message }) => logged.push(message)
    const one = await Served.start({ storage, models: MODELS, log, ...options })
    served.push(one)
    return one
  }

  /** The tools as every one of these servers has them. */
  async function inventory() {
    const one = await Served.start()
    const tools = await one.host.toolSchemas({}, { inventory: true })
    await one.close()
    return tools
  }

  /** Stores a run of a conversation as a process leaves it that ends. */
  async function left(agent: string, events = BEGUN, more: object = {}): Promise<void> {
    await storage.conversations.create({ id: TALK, owner: 'ada', agent, sender: 'ada' }, 1)
    const message = { role: 'user', parts: [{ type: 'text', text: 'calculate' }] } as const
    const order = {
      protocol: 'ui-message-stream',
      agent,
      messageId: 'answer-1',
      createdAt: 1,
      settings: {},
      tools: [],
      asks: true,
      ...more,
    }
    await storage.runs.start(
      { id: ID, owner: 'ada', conversationId: TALK, order },
      NOBODY,
      { entries: [{ kind: 'message', id: 'q', message }] },
      1,
    )
    const [start, ...rest] = events as [RunEventBody, ...RunEventBody[]]
    const told = [start, { type: 'tool-inventory', tools: await inventory() } as const, ...rest]
    const numbered = told.map((event, seq) => ({ ...event, runId: ID, seq, at: 1 }))
    await storage.runs.append('', [{ runId: ID, events: numbered }])
  }

  const status = async () => (await storage.runs.load('ada', ID))?.status

  it('counts towards the limits of the token that started it', async () => {
    const started = { token: 'one', limits: { tokens_per_day: 20 } }
    await left('steady', BEGUN, { counted: started })
    const others = { id: 'ada', role: 'user' } as const
    let identity: Identity = others
    const next = await serve({ authenticate: () => identity })
    await next.ask(`/runs/${ID}/events`)
    expect(await status()).to.equal('done')
    const asked = { body: { model: 'quick', messages: [{ role: 'user', content: 'hi' }] } }
    identity = { ...others, ...started, token: 'two' }
    expect((await next.ask('/v1/chat/completions', asked)).status).to.equal(200)
    identity = { ...others, ...started }
    expect((await next.ask('/v1/chat/completions', asked)).status).to.equal(429)
  })

  it('LT-10 goes on in the next one, as the config of its model says', async () => {
    await left('steady')
    const next = await serve()
    const { text } = await next.ask(`/runs/${ID}/events`)
    const types = [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)
    expect(types.slice(5, 10)).to.deep.equal([
      'step-finish',
      'run-resumed',
      'model-chosen',
      'tool-execution-start',
      'tool-execution-end',
    ])
    expect(types.filter((type) => type === 'tool-inventory')).to.have.length(1)
    expect(types).to.include('tool-execution-end').and.not.include('step-reset')
    expect(types.at(-1)).to.equal('finish')
    const numbers = [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number))
    expect(numbers).to.deep.equal(types.map((_, index) => index))
    expect(await status()).to.equal('done')
    const messages = await next.history(TALK)
    expect(messages.map(({ id }) => id)).to.deep.equal(['q', 'answer-1'])
    expect(messages.at(-1)?.parts.at(-1)).to.have.property('text').that.includes('"result":"42"')
    expect(logged.filter((message) => message !== 'request')).to.deep.equal(['run'])
  })

  it('shows a client that comes back the rest of the answer', async () => {
    await left('steady')
    const next = await serve()
    const { text } = await next.ask(`/api/chat/${TALK}/stream`)
    expect(text).to.include('tool-output-available').and.include('text-delta')
    expect(text).to.include('[DONE]')
  })

  it('holds its conversation until its end, like other runs', async () => {
    await left('steady')
    const slow = { steady: { config: { on_interrupt: 'resume', ...DELAYED } } } as const
    const next = await serve({ models: slow })
    const body = chatBody(TALK, [user('q2', 'more')], { agent: 'steady' })
    const { status: code, text } = await next.ask('/api/chat', { body })
    expect(code).to.equal(409)
    expect(text).to.include('CONVERSATION_BUSY')
  })

  it('ends as interrupted by default', async () => {
    await left('quick')
    await serve()
    expect(await status()).to.equal('interrupted')
    const history = await storage.conversations.history('ada', TALK)
    expect(history).to.have.length(3)
  })

  it('ends as interrupted where its model is not published any more, and the log says why', async () => {
    await left('gone')
    await serve()
    expect(await status()).to.equal('interrupted')
    const said = logged.filter((message) => message.startsWith('An interrupted run'))
    expect(said).to.have.length(1)
    expect(said[0]).to.include('gone')
  })

  it('ends as interrupted where it has no conversation, since its messages are not stored', async () => {
    const order = { protocol: 'x', agent: 'steady', settings: {}, tools: [], asks: false }
    const run = { id: ID, owner: 'ada', order }
    await storage.runs.start(run, NOBODY, { entries: [] }, 1)
    await serve()
    expect(await status()).to.equal('interrupted')
  })
})

const DELAYED = { settings: { scripted: { delay_ms: 200 } } }
