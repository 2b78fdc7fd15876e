import { expect } from 'chai'
import { sampledIt } from '../helpers/cases.ts'
import { textEvents } from '../helpers/hosts.ts'
import { eventProvider } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const WORDS = ['one ', 'two ', 'three']
const messages = [{ role: 'user', content: 'hi' }]
const agUi = { threadId: 't', runId: 'r', tools: [], context: [], state: {} }

/** Requests of each protocol that streams. */
const REQUESTS: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { model: 'gated', messages, stream: true }],
  ['/v1/chat/completions', { model: 'gated', messages, stream: true, store: true }],
  ['/v1/responses', { model: 'gated', input: 'hi', stream: true }],
  ['/v1/responses', { model: 'gated', input: 'hi', stream: true, store: true }],
  ['/v1/messages', { model: 'gated', messages, stream: true, max_tokens: 99 }],
  ['/api/chat', chatBody('talk', [user('q', 'hi')], { agent: 'gated' })],
  ['/ag-ui', { ...agUi, messages: [{ id: 'm', ...messages[0] }] }],
]

/** One answer that is being read. */
class Reader {
  readonly runId: string
  readonly status: number
  readonly #body: ReadableStreamDefaultReader<Uint8Array>
  readonly #decoder = new TextDecoder()
  #text = ''

  constructor(response: Response) {
    this.status = response.status
    this.runId = response.headers.get('x-run-id') ?? ''
    this.#body = (response.body as ReadableStream<Uint8Array>).getReader()
  }

  /** Reads until a text was said; all of it where none is waited for. */
  async until(text?: string): Promise<string> {
    while (text === undefined || !this.#text.includes(text)) {
      const { value, done } = await this.#body.read()
      if (done) break
      this.#text += this.#decoder.decode(value)
    }
    return this.#text
  }

  leave(): Promise<void> {
    return this.#body.cancel()
  }
}

describe('a request that repeats the key of another', () => {
  let served: Served
  let open: () => void
  let stopped: Promise<void>

  async function serve(limits: object = {}): Promise<void> {
    let stop: () => void = () => undefined
    stopped = new Promise((resolve) => {
      stop = resolve
    })
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const [begin, first, ...rest] = textEvents(...WORDS)
    const stream = async function* (_native: unknown, _state: unknown, context: Context) {
      context.signal.addEventListener('abort', () => stop())
      yield begin
      yield first
      await gate
      yield* rest
    }
    served = await Served.start(
      { models: { gated: {} }, cancelAfter: 0, limits },
      { plugins: [eventProvider([], { stream })], config: { provider: 'p' } },
    )
  }
  beforeEach(() => serve())
  afterEach(async () => {
    open()
    await served.close()
  })

  async function reader(path: string, body: object, key = 'k'): Promise<Reader> {
    return new Reader(await served.fetch(path, { body, headers: { 'idempotency-key': key } }))
  }

  for (const [at, [path, body]] of REQUESTS.entries()) {
    const test = sampledIt(2, at)
    const name = `${path}${'store' in body ? ' that is stored' : ''}`

    test(`keeps its run when the first reader leaves: ${name}`, async () => {
      const first = await reader(path, body)
      await first.until('one ')
      const second = await reader(path, body)
      expect(second.runId).to.equal(first.runId)
      await first.leave()
      open()
      expect(await second.until())
        .to.include('one ')
        .and.include('three')
    })

    test(`is one of three, of which any two may leave: ${name}`, async () => {
      const readers = [await reader(path, body), await reader(path, body), await reader(path, body)]
      expect(new Set(readers.map(({ runId }) => runId)).size).to.equal(1)
      await Promise.all(readers.map((one) => one.until('one ')))
      await readers[1]?.leave()
      await readers[0]?.leave()
      open()
      expect(await readers[2]?.until()).to.include('three')
    })

    test(`stops its run when all readers have left: ${name}`, async () => {
      const readers = [await reader(path, body), await reader(path, body)]
      await Promise.all(readers.map((one) => one.until('one ')))
      for (const one of readers) await one.leave()
      await stopped
    })
  }

  it('has no run of its own, so that no limit is in its way', async () => {
    await served.close()
    await serve({ runs: 1 })
    const [path, body] = REQUESTS[0] as (typeof REQUESTS)[number]
    const first = await reader(path, body)
    const second = await reader(path, body)
    expect(second.status).to.equal(200)
    expect((await served.ask(path, { body })).status).to.equal(429)
    open()
    expect(await second.until()).to.equal(await first.until())
  })

  for (const [path, body] of REQUESTS.filter(([, body]) => 'store' in body)) {
    const conversations = async () => (await served.ask('/api/conversations')).text

    it(`is answered from what was stored where there is room for nothing more: ${path}`, async () => {
      await served.close()
      await serve({ conversations: 1, storage: 500 })
      const first = await reader(path, body)
      expect(first.status).to.equal(200)
      open()
      const told = await first.until()
      const before = await conversations()
      expect((await served.ask(path, { body })).status).to.equal(413)
      const later = await reader(path, body)
      expect(later.status).to.equal(200)
      expect(await later.until()).to.equal(told)
      expect(await conversations()).to.equal(before)
      const name = path === '/api/chat' ? 'agent' : 'model'
      const other = { ...body, [name]: 'gated-plain' }
      const headers = { 'idempotency-key': 'k' }
      expect((await served.ask(path, { body: other, headers })).status).to.equal(422)
    })

    it(`makes no conversation of its own, however soon it comes: ${path}`, async () => {
      open()
      const readers = await Promise.all([1, 2, 3].map(() => reader(path, body)))
      const told = await Promise.all(readers.map((one) => one.until()))
      expect(new Set(told).size).to.equal(1)
      const { conversations: kept } = JSON.parse(await conversations())
      expect(kept).to.have.length(path === '/v1/responses' ? 1 : 0)
    })
  }

  it('is refused where it asks for something else, and changes nothing for the first', async () => {
    for (const [path, body] of REQUESTS) {
      const first = await reader(path, body, path + JSON.stringify(body).length)
      const headers = { 'idempotency-key': path + JSON.stringify(body).length }
      const other = JSON.stringify(body).replace('"hi"', '"bye"')
      const { status, text } = await served.ask(path, { body: JSON.parse(other), headers })
      expect(status, `${path} ${text}`).to.equal(422)
      expect(text).to.match(/Idempotency-Key/)
      await first.leave()
    }
  })

  it('is refused after the end of the first where it asks for something else', async () => {
    open()
    for (const [path, body] of REQUESTS) {
      const key = `ended ${path} ${JSON.stringify(body).length}`
      const first = await reader(path, body, key)
      await first.until()
      const headers = { 'idempotency-key': key }
      for (const [one, another] of [
        ['"hi"', '"bye"'],
        ['{', path === '/ag-ui' ? '{"forwardedProps":{"temperature":1},' : '{"temperature":1,'],
      ] as const) {
        const other = JSON.stringify(body).replace(one, another)
        const { status, text } = await served.ask(path, { body: JSON.parse(other), headers })
        expect(status, `${other} ${text}`).to.equal(422)
      }
      expect((await served.ask(path, { body, headers })).status, path).to.equal(200)
    }
  })

  it('is another request where somebody else makes it', async () => {
    const [path, body] = REQUESTS[0] as (typeof REQUESTS)[number]
    const first = await reader(path, body)
    const headers = { 'idempotency-key': 'k' }
    const other = new Reader(await served.fetch(path, { body, headers, as: 'bob' }))
    expect(other.runId).not.to.equal(first.runId)
    open()
    expect(await other.until()).to.include('three')
  })
})

interface Context {
  readonly signal: AbortSignal
}
