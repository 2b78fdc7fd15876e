import { expect } from 'chai'
import usageCost from '../../extensions/usage-cost/index.ts'
import scripted from '../../providers/scripted/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import type { Log } from '../../src/plugin/index.ts'
import type { Identity } from '../../src/server/index.ts'
import { Limits } from '../../src/server/limits.ts'
import { Served } from './routes/served.ts'

const ADA: Identity = { id: 'ada', role: 'user' }
const BOB: Identity = { id: 'bob', role: 'user' }
const IMAGE = `data:image/png;base64,${'A'.repeat(2 << 20)}`
const DAY = 24 * 60 * 60_000

function refusal(act: () => unknown): HostError {
  try {
    act()
  } catch (error) {
    if (HostError.is(error)) return error
  }
  return expect.fail('it was not refused')
}

describe('limits of an identity', () => {
  let now = 0
  beforeEach(() => {
    now = 1_000_000
  })
  const limits = (given: object = {}) =>
    new Limits({ requests_per_minute: 60, runs: 2, ...given }, () => now)

  it('are requests a minute, which come back one by one', () => {
    const counts = limits()
    for (let count = 0; count < 60; count++) counts.countRequest(ADA)
    const error = refusal(() => counts.countRequest(ADA))
    expect(error).to.include({ code: 'TOO_MANY_REQUESTS', retryAfter: 1 })
    now += 999
    refusal(() => counts.countRequest(ADA))
    now += 1
    counts.countRequest(ADA)
    refusal(() => counts.countRequest(ADA))
  })

  it('count a large request as many, the first of which may be more than a minute has', () => {
    const counts = limits()
    counts.countRequest(ADA)
    counts.countSize(ADA, 119)
    expect(refusal(() => counts.countRequest(ADA))).to.include({ retryAfter: 61 })
    expect(refusal(() => counts.countSize(ADA, 1))).to.include({ retryAfter: 60 })
    counts.countSize(ADA, 0)
    now += 60_000
    counts.countSize(ADA, 1)
    refusal(() => counts.countRequest(ADA))
  })

  it('forget no account that owes requests', () => {
    const counts = limits()
    counts.countSize(ADA, 180)
    now += 60_000
    for (let id = 0; id < 10_001; id++) counts.countRequest({ id: `${id}`, role: 'user' })
    refusal(() => counts.countRequest(ADA))
  })

  it('are not what another uses', () => {
    const counts = limits({ requests_per_minute: 1, runs: 1, cost_per_day: 1 })
    counts.countRequest(ADA)
    counts.beginRun(ADA)
    counts.addCost(ADA, 5)
    refusal(() => counts.countRequest(ADA))
    counts.countRequest(BOB)
    counts.beginRun(BOB)()
  })

  it('are runs at once, each counted down once', () => {
    const counts = limits()
    const ends = [counts.beginRun(ADA), counts.beginRun(ADA)]
    expect(refusal(() => counts.beginRun(ADA))).to.include({ retryAfter: 1 })
    ends[0]?.()
    ends[0]?.()
    counts.beginRun(ADA)
    refusal(() => counts.beginRun(ADA))
  })

  it('are dollars within a day, and say when enough of them are a day ago', () => {
    const counts = limits({ cost_per_day: 1 })
    counts.addCost(ADA, 0.5)
    now += 60_000
    counts.addCost(ADA, 0.25)
    counts.beginRun(ADA)()
    now += 60_000
    counts.addCost(ADA, 0.75)
    // The first alone is not enough: 1 is not below 1.
    const { retryAfter = 0 } = refusal(() => counts.beginRun(ADA))
    expect(retryAfter).to.equal((DAY - 60_000) / 1000)
    now += retryAfter * 1000 - 1
    refusal(() => counts.beginRun(ADA))
    now += 1
    counts.beginRun(ADA)()
  })

  it('are remembered of those who use something, however many others come', () => {
    const counts = limits({ cost_per_day: 1 })
    counts.addCost(ADA, 2)
    counts.beginRun(BOB)
    counts.beginRun(BOB)
    now += 60_000
    for (let count = 0; count < 25_000; count++) {
      counts.countRequest({ id: `passer-by ${count}`, role: 'user' })
      if (count === 12_000) now += 60_000
    }
    refusal(() => counts.beginRun(ADA))
    refusal(() => counts.beginRun(BOB))
  })
})

describe('limits on the wire', () => {
  let served: Served | undefined
  afterEach(() => served?.close())

  const messages = [{ role: 'user', content: 'count' }]
  const PATHS = [
    ['/v1/chat/completions', { model: 'slow', messages }, '"rate_limit_exceeded"'],
    ['/v1/responses', { model: 'slow', input: 'count' }, '"rate_limit_exceeded"'],
    ['/v1/messages', { model: 'slow', messages, max_tokens: 99 }, '"rate_limit_error"'],
    [
      '/api/chat',
      { id: 'c', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'hi' }] }] },
      'TOO_MANY_REQUESTS',
    ],
    [
      '/ag-ui',
      {
        threadId: 't',
        runId: 'r',
        messages: [{ id: 'm', ...messages[0] }],
        tools: [],
        context: [],
        state: {},
      },
      'TOO_MANY_REQUESTS',
    ],
  ] as const

  it('are told with 429 and when to come back, in the words of each protocol', async () => {
    served = await Served.start({ limits: { runs: 1 } })
    const busy = await served.fetch(PATHS[0][0], { body: { ...PATHS[0][1], stream: true } })
    for (const [path, body, word] of PATHS) {
      const { status, headers, text } = await served.ask(path, { body })
      expect(status, `${path} ${text}`).to.equal(429)
      expect(headers.get('retry-after')).to.equal('1')
      expect(text).to.include(word)
    }
    const other = await served.ask(PATHS[0][0], {
      body: { ...PATHS[0][1], model: 'quick' },
      as: 'bob',
    })
    expect(other.status).to.equal(200)
    await busy.body?.cancel()
  })

  it('count every request but those of whoever asks whether it lives', async () => {
    const lines: Parameters<Log>[0][] = []
    served = await Served.start({
      limits: { requests_per_minute: 2 },
      log: (line) => void lines.push(line),
    })
    expect((await served.ask('/v1/models')).status).to.equal(200)
    expect((await served.ask('/no/such')).status).to.equal(404)
    const { status, headers } = await served.ask('/v1/models')
    expect(status).to.equal(429)
    expect(Number(headers.get('retry-after'))).to.equal(30)
    expect(lines.at(-1)).to.include({ message: 'request', status: 429, identity: 'ada' })
    expect((await served.ask('/readyz')).status).to.equal(200)
    expect((await served.ask('/v1/models', { as: 'bob' })).status).to.equal(200)
  })

  for (const [what, content] of [
    ['values', Array.from({ length: 2000 }, () => ({ type: 'text', text: '.' }))],
    ['bytes', [{ type: 'image_url', image_url: { url: IMAGE } }]],
  ] as const) {
    it(`count a body of many ${what} as many requests`, async () => {
      served = await Served.start({ limits: { requests_per_minute: 10 } })
      const [[path, body]] = PATHS
      const ask = (as: 'ada' | 'bob') => {
        const large = { ...body, model: 'quick', messages: [{ role: 'user', content }] }
        return served?.ask(path, { body: large, as }) ?? expect.fail()
      }
      const first = await ask('ada')
      expect(first.status, first.text).to.equal(200)
      const { status, headers, text } = await ask('ada')
      expect(status).to.equal(429)
      expect(text).to.include('a large request counts as several')
      expect(Number(headers.get('retry-after'))).to.be.within(40, 75)
      expect((await ask('bob')).status).to.equal(200)
    })
  }

  it('count the dollars of runs, where a model has a price', async () => {
    const provider = { ...scripted, getModelInfo: () => ({ price: { input: 1, output: 1e6 } }) }
    served = await Served.start(
      { limits: { cost_per_day: 1 } },
      {
        plugins: [provider, usageCost],
        config: {
          enabled_plugins: ['usage-cost'],
          settings: { scripted: { delay_ms: 0, script: [{ then: { text: 'Two words.' } }] } },
        },
      },
    )
    const [[path, body]] = PATHS
    const ask = (as: 'ada' | 'bob') =>
      served?.ask(path, { body: { ...body, model: 'quick' }, as }) ?? expect.fail()
    expect((await ask('ada')).status).to.equal(200)
    const { status, headers, text } = await ask('ada')
    expect(status).to.equal(429)
    expect(text).to.include('The daily limit of 1 dollars has been spent.')
    expect(Number(headers.get('retry-after'))).to.be.within(DAY / 1000 - 60, DAY / 1000)
    expect((await ask('bob')).status).to.equal(200)
  })
})
