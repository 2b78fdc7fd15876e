import { expect } from 'chai'
import usageCost from '../../../extensions/usage-cost/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import calculator from '../../../tools/calculator/index.ts'
import { HandClock, SetClock, STEPS } from '../../helpers/clock.ts'
import { type Answered, chatBody, Served, user } from '../routes/served.ts'

/** A dollar a token that is said, and nothing for what is asked. */
const PRICE = { input: 0, output: 1_000_000 }
const DAY = 24 * 60 * 60_000
const MANY = Array.from({ length: 40 }, (_, at) => `word ${at}`).join(' ')
const CALL = { tool_calls: [{ name: 'calculate', input: { expression: '6 * 7' } }] }
const SCRIPT = [
  { when: { text: 'refuse' }, then: { fault: 'overloaded' } },
  {
    when: { text: 'break' },
    then: { text: MANY, chunks: 20, fault: { type: 'cut', after_chunks: 19 } },
  },
  { when: { text: 'many' }, then: { text: MANY, chunks: 20 } },
  { when: { text: 'steps', step: 1 }, then: CALL },
  { when: { text: 'steps', step: 2 }, then: CALL },
  { when: { text: 'steps', step: 3 }, then: CALL },
  { when: { text: 'steps', step: 4 }, then: { fault: 'overloaded' } },
  { when: { text: 'ask', step: 1 }, then: CALL },
  { then: { text: 'Hi.' } },
]
const MODELS = {
  quick: { config: { settings: { scripted: { script: SCRIPT, delay_ms: 0 } } } },
  slow: { config: { settings: { scripted: { script: SCRIPT, delay_ms: 20 } } } },
  slower: { config: { settings: { scripted: { script: SCRIPT, delay_ms: 200 } } } },
  careful: {
    config: {
      tool_policy: { calculate: 'ask' },
      settings: { scripted: { script: SCRIPT, delay_ms: 0 } },
    },
  },
} as const

describe('the dollars of a day', () => {
  let served: Served
  let storage = memoryStorage()
  beforeEach(() => {
    storage = memoryStorage()
  })

  async function serve(
    most: number,
    info: object = { maxOutputTokens: 50 },
    own: Parameters<typeof Served.start>[0] = {},
  ): Promise<void> {
    const provider = { ...scripted, getModelInfo: () => ({ price: PRICE, ...info }) }
    served = await Served.start(
      { limits: { cost_per_day: most }, models: MODELS, storage, cancelAfter: 0, ...own },
      { plugins: [provider, usageCost, calculator], config: { provider: 'scripted' } },
    )
  }
  afterEach(() => served.close())

  const chat = '/v1/chat/completions'
  const bodyOf = (text: string, more: object = {}) => ({
    model: 'quick',
    messages: [{ role: 'user', content: text }],
    ...more,
  })
  const ask = (text: string, more: object = {}): Promise<Answered> =>
    served.ask(chat, { body: bodyOf(text, more) })

  /** Reads until a text was said. */
  async function readUntil(response: Response, text: string) {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    for (let all = ''; !all.includes(text); ) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`It ended without "${text}": ${all}`)
      all += decoder.decode(value)
    }
    return reader
  }

  /** An answer that takes its time. */
  const begun = (text: string, more: object = {}): Promise<Response> =>
    served.fetch(chat, { body: bodyOf(text, { model: 'slower', stream: true, ...more }) })

  /** When nothing of the server's runs any more. */
  async function quiet(): Promise<void> {
    while (served.activeRuns > 0) await new Promise((resolve) => setImmediate(resolve))
  }

  async function isSpent(): Promise<boolean> {
    await quiet()
    const { status, text } = await ask('hi')
    expect(status, text).to.be.oneOf([200, 429])
    if (status === 429) expect(text).to.include('dollars has been spent')
    return status === 429
  }

  it('are counted without any plugin that does, wherever there is a price', async () => {
    await serve(20)
    expect((await ask('many')).status).to.equal(200)
    expect(await isSpent()).to.equal(true)
  })

  it('are not spent by what costs less', async () => {
    await serve(1000)
    for (let count = 0; count < 3; count++) expect((await ask('many')).status).to.equal(200)
    expect(await isSpent()).to.equal(false)
  })

  it('have in them what was said before its reader left', async () => {
    await serve(20)
    const body = bodyOf('many', { model: 'slow', stream: true })
    const reader = await readUntil(await served.fetch(chat, { body }), 'rd 31 ')
    await reader.cancel()
    expect(await isSpent()).to.equal(true)
  })

  it('have in them what was said before it was stopped, in a page too', async () => {
    await serve(20)
    const body = chatBody('talk', [user('q', 'many')], { agent: 'slow' })
    const response = await served.fetch('/api/chat', { body })
    await readUntil(response, 'rd 31 ')
    await served.ask('/api/chat/talk/stop', { method: 'POST' })
    expect(await isSpent()).to.equal(true)
  })

  it('have in them what was said before the API broke off', async () => {
    await serve(20)
    expect((await ask('break')).status).to.equal(502)
    expect(await isSpent()).to.equal(true)
  })

  it('have in them the steps before the one that failed', async () => {
    await serve(8)
    expect((await ask('steps')).status).to.equal(529)
    expect(await isSpent()).to.equal(true)
  })

  it('have nothing in them of what an API refused', async () => {
    await serve(1)
    for (let count = 0; count < 3; count++) expect((await ask('refuse')).status).to.equal(529)
    expect(await isSpent()).to.equal(false)
  })

  it('have in them what runs in the background, what has no tools, and what goes on after an answer', async () => {
    await serve(20)
    const background = { model: 'slow', input: 'many', background: true }
    expect((await served.ask('/v1/responses', { body: background })).status).to.equal(200)
    expect(await isSpent()).to.equal(true)
    await served.close()
    storage = memoryStorage()

    await serve(20)
    expect((await ask('many', { model: 'quick-plain' })).status).to.equal(200)
    expect(await isSpent()).to.equal(true)
    await served.close()
    storage = memoryStorage()

    await serve(4)
    const body = chatBody('ask', [user('q', 'ask')], { agent: 'careful' })
    const { headers } = await served.ask('/api/chat', { body })
    const runId = headers.get('x-run-id') ?? ''
    const [approval] = await storage.approvals.list('ada', runId)
    await served.ask(`/approvals/${approval?.id}`, { body: { approved: true } })
    await served.ask(`/runs/${runId}/events`)
    await served.ask(`/runs/${runId}/events`)
    expect(await isSpent()).to.equal(true)
  })

  it('are in the way of a run where those that are active may spend them, and no more once they ended', async () => {
    await serve(100)
    const active = [await begun('many'), await begun('many')]
    expect(active.map(({ status }) => status)).to.deep.equal([200, 200])
    const { status, headers, text } = await ask('hi')
    expect(status).to.equal(429)
    expect(headers.get('retry-after')).to.equal('1')
    expect(text).to.include(
      'The possible cost of the active runs reaches the daily limit of 100 dollars.',
    )
    for (const { body } of active) await body?.cancel()
    await quiet()
    expect((await ask('hi')).status).to.equal(200)
  })

  it('let as many in as may be paid, however many come at once', async () => {
    await serve(100)
    const responses = await Promise.all(Array.from({ length: 20 }, () => begun('many')))
    const statuses = responses.map(({ status }) => status)
    for (const { body } of responses) await body?.cancel()
    expect(statuses.filter((status) => status === 200)).to.have.length(2)
    expect(statuses.filter((status) => status === 429)).to.have.length(18)
  })

  it('let more in where a request allows only a short answer, and one at a time whatever it may cost', async () => {
    await serve(100)
    const short = { max_tokens: 4 }
    const responses = await Promise.all(Array.from({ length: 20 }, () => begun('many', short)))
    const statuses = responses.map(({ status }) => status)
    for (const { body } of responses) await body?.cancel()
    expect(statuses.filter((status) => status === 200)).to.have.length(20)
    await served.close()
    storage = memoryStorage()

    await serve(1, {})
    expect((await ask('refuse')).status).to.equal(529)
    expect((await ask('hi')).status).to.equal(200)
  })

  it('are spent for whoever comes back to another server, or to the same one begun anew', async () => {
    await serve(20)
    expect((await ask('many')).status).to.equal(200)
    await served.close()
    await serve(20)
    expect(await isSpent()).to.equal(true)
    const other = await served.ask(chat, { body: bodyOf('hi'), as: 'bob' })
    expect(other.status).to.equal(200)
  })

  for (const [name, step] of STEPS.filter(([, milliseconds]) => milliseconds < DAY)) {
    it(`are spent where a server begins anew by a clock that went ${name}`, async () => {
      await serve(20)
      expect((await ask('many')).status).to.equal(200)
      await served.close()
      const clock = new SetClock()
      clock.step(step)
      await serve(20, undefined, { environment: clock.environment })
      expect(await isSpent()).to.equal(true)
    })
  }

  it('are those that were known where the storage cannot tell, and the log has why', async () => {
    const { documents } = storage
    const list: typeof documents.list = async (owner, kind) => {
      if (kind === 'costs') throw new Error('disk I/O error')
      return documents.list(owner, kind)
    }
    const messages: string[] = []
    await serve(20, undefined, {
      storage: { ...storage, documents: { ...documents, list } },
      log: ({ level, message }) => {
        if (level === 'error') messages.push(message)
      },
    })
    expect((await ask('many')).status).to.equal(200)
    expect(await isSpent()).to.equal(true)
    const told = 'Costs could not be read: disk I/O error'
    expect(messages).to.deep.equal([told, told])
  })

  it('are spent as long as a day, by servers that run and by those that begin', async () => {
    const clock = new HandClock()
    await serve(20, undefined, { environment: clock.environment })
    expect((await ask('many')).status).to.equal(200)
    const first = served
    await serve(20, undefined, { environment: clock.environment })
    clock.pass(DAY - 1)
    expect(await isSpent()).to.equal(true)
    expect((await first.ask(chat, { body: bodyOf('hi') })).status).to.equal(429)
    clock.pass(1)
    expect(await isSpent()).to.equal(false)
    expect((await first.ask(chat, { body: bodyOf('hi') })).status).to.equal(200)
    await first.close()
  })
})
