import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage, type Storage } from '../../../src/agent/index.ts'
import { HostError, type Log } from '../../../src/plugin/index.ts'
import { HandClock } from '../../helpers/clock.ts'
import type { Answered, Served } from '../routes/served.ts'
import { type Bearer, questions, Secured } from './secured.ts'

const CHAT = '/v1/chat/completions'
const DAY = 24 * 60 * 60_000
const body = (text = 'hi', model = 'quick', more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: text }],
  ...more,
})

/** A dollar for a token. */
const PRICE = { input: 1_000_000, output: 1_000_000 }
const priced = {
  plugins: [{ ...scripted, getModelInfo: () => ({ price: PRICE, maxOutputTokens: 20 }) }],
  config: { provider: 'scripted' },
}

describe('limits that all servers of a storage count together', function () {
  this.timeout(20_000)
  let secured: Secured
  beforeEach(() => {
    secured = new Secured()
  })
  afterEach(() => secured.close())

  const statuses = async (answers: readonly Promise<Answered>[]) =>
    (await Promise.all(answers)).map(({ status }) => status)
  const passed = (all: readonly number[]) => all.filter((status) => status === 200).length
  const models = (served: Served, headers: Bearer) => served.ask('/v1/models', { headers })

  it('let as many requests pass as they say, of many at once on two servers', async () => {
    const servers = await Promise.all([secured.serve(), secured.serve()])
    const { headers } = await secured.issue({ id: 'eva', limits: { requests_per_day: 30 } })
    const other = await secured.issue({ id: 'eva', limits: { requests_per_day: 30 } })
    const asked = Array.from({ length: 100 }, (_, at) => models(servers[at % 2]!, headers))
    const all = await statuses(asked)
    expect(passed(all)).to.equal(30)
    expect(new Set(all)).to.deep.equal(new Set([200, 429]))
    expect((await models(servers[0], other.headers)).status).to.equal(200)
  })

  it('count a token of the config and a caller without a token as well', async () => {
    const limits = { requests_per_minute: 2 }
    const served = await secured.serve({
      authenticate: () => ({ id: 'eva', role: 'user', limits }),
    })
    const asked = Array.from({ length: 4 }, () => models(served, {}))
    expect(passed(await statuses(asked))).to.equal(2)
  })

  it('count each message of a batch of MCP as a request', async () => {
    const served = await secured.serve()
    const { headers } = await secured.issue({ id: 'eva', limits: { requests_per_day: 4 } })
    const batch = Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    const accept = { accept: 'application/json, text/event-stream' }
    const answer = await served.ask('/mcp', { body: batch, headers: { ...headers, ...accept } })
    expect(answer.status).to.equal(429)
    expect(answer.text).to.include('The limit is 4 requests per day.')
  })

  it('refuse in the words of each protocol, and say when to come back', async () => {
    const clock = new HandClock()
    const { environment } = clock
    const served = await secured.serve({ environment })
    for (const [path, question] of questions('quick')) {
      const { headers } = await secured.issue({ id: path, limits: { requests_per_day: 1 } })
      const ask = () => served.ask(path, { headers, body: question })
      expect([path, (await ask()).status]).to.deep.equal([path, 200])
      const { status, text, headers: sent } = await ask()
      expect([path, status]).to.deep.equal([path, 429])
      expect(text).to.include('The limit is 1 requests per day.')
      const left = (DAY - (clock.now % DAY)) / 1000
      expect(Number(sent.get('retry-after'))).to.be.within(left - 60, left + 1)
    }
  })

  it('begin anew with each minute and each day', async () => {
    const clock = new HandClock()
    clock.now = Math.ceil(clock.now / DAY) * DAY
    const served = await secured.serve({ environment: clock.environment })
    const limits = { requests_per_minute: 1, requests_per_day: 2 }
    const { headers } = await secured.issue({ id: 'eva', limits })
    const seen: number[] = []
    for (const pass of [0, 0, 60_000, 60_000, DAY]) {
      clock.pass(pass)
      seen.push((await models(served, headers)).status)
    }
    expect(seen).to.deep.equal([200, 429, 200, 429, 200])
  })

  it('are those of a model, for requests to this model', async () => {
    const served = await secured.serve()
    const own = { quick: { requests_per_day: 1 }, careful: {} }
    const { headers } = await secured.issue({ id: 'eva', models: own })
    const ask = (model: string) => served.ask(CHAT, { headers, body: body('hi', model) })
    expect((await ask('quick')).status).to.equal(200)
    const refused = await ask('quick')
    expect(refused.status).to.equal(429)
    expect(refused.text).to.include('1 requests per day for the model')
    expect((await ask('careful')).status).to.equal(200)
    expect((await ask('slow')).status).to.equal(404)
  })

  it('end with the tokens that the requests of a day used', async () => {
    const served = await secured.serve()
    const { headers } = await secured.issue({ id: 'eva', limits: { tokens_per_day: 150 } })
    const ask = () => served.ask(CHAT, { headers, body: body() })
    const first = await ask()
    expect(first.status).to.equal(200)
    let answer = await ask()
    for (let count = 0; count < 20 && answer.status === 200; count++) answer = await ask()
    expect(answer.status).to.equal(429)
    expect(answer.text).to.include('tokens per day')
  })

  it('end with the dollars that the requests of a day cost, on another server too', async () => {
    const servers = await Promise.all([secured.serve({}, priced), secured.serve({}, priced)])
    const { headers } = await secured.issue({ id: 'eva', limits: { cost_per_day: 60 } })
    const ask = (at: number) => servers[at % 2]!.ask(CHAT, { headers, body: body() })
    const seen: Answered[] = []
    for (let count = 0; count < 20 && (seen.at(-1)?.status ?? 200) === 200; count++) {
      seen.push(await ask(count))
    }
    expect(seen.at(-1)?.status).to.equal(429)
    expect(seen.at(-1)?.text).to.include('60 dollars per day')
    const next = await ask(seen.length)
    expect(next.status).to.equal(429)
  })

  it('reserve what active runs may cost, so that many at once cannot pass together', async () => {
    const slow = { ...priced.config, settings: { scripted: { delay_ms: 30 } } }
    const servers = await Promise.all(
      [0, 1].map(() => secured.serve({}, { ...priced, config: slow })),
    )
    const { headers } = await secured.issue({ id: 'eva', limits: { cost_per_day: 50 } })
    const asked = Array.from({ length: 20 }, (_, at) =>
      servers[at % 2]!.ask(CHAT, { headers, body: body() }),
    )
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).to.be.within(15, 19)
    expect(refused[0]?.text).to.include('Try again when a run has ended')
    expect(refused[0]?.headers.get('retry-after')).to.equal('1')
    // What was reserved is free again.
    const free = await servers[0]!.ask(CHAT, { headers, body: body() })
    expect(free.status === 200 || free.text.includes('dollars per day')).to.equal(true)
  })

  it('refuse requests with 503 while their storage is away, and no others', async () => {
    const storage = memoryStorage()
    const take = async () => {
      throw new HostError('STORAGE_FAILED', 'The storage failed: no route to host.')
    }
    secured = new Secured({ ...storage, counters: { ...storage.counters, take } })
    const served = await secured.serve()
    const limited = await secured.issue({ id: 'eva', limits: { requests_per_day: 5 } })
    const free = await secured.issue({ id: 'eva' })
    for (const [path, question] of questions('quick')) {
      const { status, text } = await served.ask(path, {
        headers: limited.headers,
        body: question,
      })
      expect([path, status]).to.deep.equal([path, 503])
      expect(text).to.include('The storage of the server failed').and.not.include('route')
    }
    expect((await models(served, free.headers)).status).to.equal(200)
  })

  it('count later what the storage could not take when a run ended', async () => {
    const storage = memoryStorage()
    let isAway = true
    const add: typeof storage.counters.add = async (changes) => {
      if (isAway) throw new HostError('STORAGE_FAILED', 'The storage failed: disk full.')
      await storage.counters.add(changes)
    }
    secured = new Secured({ ...storage, counters: { ...storage.counters, add } })
    const logged: Parameters<Log>[0][] = []
    const served = await secured.serve({ log: (entry) => void logged.push(entry) })
    const { headers } = await secured.issue({ id: 'eva', limits: { tokens_per_day: 1_000_000 } })
    const ask = () => served.ask(CHAT, { headers, body: body() })
    await ask()
    isAway = false
    await ask()
    await secured.close()
    const told = logged.filter(({ message }) => message.includes('could not be counted yet'))
    expect(told).to.have.length.above(0)
    const day = { startsAt: Date.now() - (Date.now() % DAY), endsAt: 0 }
    const [key = ''] = await keysOf(storage)
    const most = { ...day, key, most: 1, amount: 0, held: 0 }
    expect(await storage.counters.take([most])).to.deep.equal([{ key, isSpent: true }])
  })

  it('cost requests without limits no statement', async () => {
    const storage = memoryStorage()
    const refuse = () => expect.fail('the counters were asked')
    const counters = { ...storage.counters, take: refuse, add: refuse }
    secured = new Secured({ ...storage, counters })
    const served = await secured.serve()
    for (const [path, question] of questions('quick')) {
      expect((await served.ask(path, { body: question })).status).to.equal(200)
    }
  })
})

/** The keys of the counters of the only token. */
async function keysOf(storage: Storage): Promise<readonly string[]> {
  const tokens = await storage.tokens.list()
  return tokens.map(({ id }) => JSON.stringify([id, 'tokens_per_day']))
}
