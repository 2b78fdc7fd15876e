import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import compatible from '../../providers/openai-compatible/index.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { jsonReply } from '../../scripts/replay/replies.ts'
import { type ConfigLayer, createHost, type Host } from '../../src/core/index.ts'
import { sampled } from '../helpers/cases.ts'

const NAMES = ['openai', 'openai-compatible', 'anthropic'] as const

/** Waits that are longer than any server may ask for, and the seconds that the error says. */
const LONG: readonly (readonly [headers: { [name: string]: string }, seconds: number])[] = [
  [{ 'retry-after': '3600' }, 3600],
  [{ 'retry-after': '99999999999' }, 99_999_999_999],
  [{ 'retry-after-ms': '3600000' }, 3600],
  [{ 'retry-after': '1', 'retry-after-ms': '3600000' }, 3600],
  [{ 'retry-after': '3600', 'x-should-retry': 'true' }, 3600],
]

/** Values that are no time, or one that has passed: the next try comes as soon as without them. */
const SHORT = ['NaN', 'Infinity', '-5', '1e400', 'soon', '0', 'Thu, 01 Jan 1970 00:00:00 GMT']

describe('Retry-After', function () {
  this.timeout(30_000)
  let server: ReplayServer
  let host: Host
  before(async () => {
    server = await new ReplayServer().start()
    host = await createHost({ plugins: [openai, compatible, anthropic] })
  })
  after(async () => {
    await host.close()
    await server.close()
  })
  beforeEach(() => {
    server.requests.length = 0
  })

  function configFor(name: string, more: ConfigLayer = {}, retries = 2): ConfigLayer {
    const own = { api_key: 'sk-test-0123456789', base_url: server.url, max_retries: retries }
    return { provider: name, model: 'm', settings: { [name]: own }, ...more }
  }

  const refuse = (headers: { [name: string]: string }, status = 429): void => {
    server.reply = () => jsonReply({ error: { message: 'wait' } }, { status, headers })
  }

  /** What a request comes to, in send and in stream, and how often the server was asked. */
  async function bothOf(config: ConfigLayer): Promise<readonly unknown[]> {
    const sent: unknown = await host.send(config, 'Hello').catch((error: unknown) => error)
    const { error } = await host.stream(config, 'Hello').result
    return [sent, error]
  }

  for (const [at, name] of NAMES.entries()) {
    it(`is RATE_LIMITED at once where it is longer than the limit, with the value (${name})`, async () => {
      for (const [headers, retryAfter] of LONG) {
        refuse(headers)
        server.requests.length = 0
        for (const error of await bothOf(configFor(name))) {
          expect(error).to.include({ code: 'RATE_LIMITED', retryable: true, retryAfter })
        }
        expect(server.requests, JSON.stringify(headers)).to.have.length(2)
      }
    })

    it(`is an error at once with another status too, and as a date (${name})`, async () => {
      const date = new Date(Date.now() + 7_200_000).toUTCString()
      refuse({ 'retry-after': date }, 503)
      for (const error of await bothOf(configFor(name))) {
        expect(error).to.include({ code: 'OVERLOADED' })
        expect((error as { retryAfter: number }).retryAfter).to.be.within(7000, 7200)
      }
      expect(server.requests).to.have.length(2)
    })

    it(`is waited for within the limit, all tries together (${name})`, async () => {
      refuse({ 'retry-after-ms': '40' })
      const config = configFor(name, { limits: { retry_after: 0.1 } }, 5)
      for (const error of await bothOf(config)) {
        expect(error).to.include({ code: 'RATE_LIMITED', retryAfter: 0.04 })
      }
      // Two waits of 40 ms fit into 100 ms, a third does not.
      expect(server.requests).to.have.length(6)
    })

    it(`is no time where it is none (${name})`, async () => {
      for (const value of sampled(SHORT, 3, at)) {
        server.requests.length = 0
        refuse({ 'retry-after': value })
        const error: unknown = await host
          .send(configFor(name, {}, 1), 'Hello')
          .catch((thrown: unknown) => thrown)
        expect(error, value).to.include({ code: 'RATE_LIMITED' })
        expect(server.requests, value).to.have.length(2)
        const { retryAfter } = error as { retryAfter?: number }
        if (retryAfter !== undefined) expect(retryAfter, value).to.equal(0)
      }
    })
  }

  it('is no wait at all where the limit is 0', async () => {
    refuse({ 'retry-after': '1' })
    for (const error of await bothOf(configFor('openai', { limits: { retry_after: 0 } }))) {
      expect(error).to.include({ code: 'RATE_LIMITED', retryAfter: 1 })
    }
    expect(server.requests).to.have.length(2)
  })

  it('is not waited for where it is longer than the request itself may take', async () => {
    const limits = { retry_after: 60, call: 0.5, stream_idle: 0.5 }
    refuse({ 'retry-after': '1' })
    for (const error of await bothOf(configFor('openai', { limits }))) {
      expect(error).to.include({ code: 'RATE_LIMITED', retryAfter: 1 })
    }
    expect(server.requests).to.have.length(2)
  })
})
