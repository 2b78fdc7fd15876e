import { expect } from 'chai'
import type { Log } from '../../src/plugin/index.ts'
import { eventProvider } from '../helpers/plugins.ts'
import { Served } from './routes/served.ts'

const messages = [{ role: 'user', content: 'go' }]
const TEXT = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'hi' },
  { type: 'text-end', id: '1' },
]

/** Requests for answers, by the route that counts them. */
const REQUESTS: readonly (readonly [route: string, body: object])[] = [
  ['/v1/chat/completions', { model: 'quick', messages }],
  ['/v1/chat/completions', { model: 'quick', messages, stream: true }],
  ['/v1/messages', { model: 'quick', max_tokens: 99, messages }],
  ['/v1/messages', { model: 'quick', max_tokens: 99, messages, stream: true }],
  ['/v1/responses', { model: 'quick', input: 'go' }],
  [
    '/a2a/quick/message:send',
    { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] } },
  ],
]

describe('a request whose client leaves before the response', () => {
  let served: Served
  let logged: Parameters<Log>[0][]
  let onAsked: () => void
  beforeEach(async () => {
    logged = []
    onAsked = () => undefined
    const stream = async function* () {
      onAsked()
      yield* TEXT
    }
    served = await Served.start(
      {
        models: { quick: { config: { model: 'm' } } },
        log: (entry) => void logged.push(entry),
      },
      { plugins: [eventProvider([], { stream, models: ['m'] })], config: { provider: 'p' } },
    )
  })
  afterEach(() => served.close())

  const statuses = () =>
    logged.flatMap(({ message, status }) => (message === 'request' ? [status] : []))
  const headers = { 'a2a-version': '1.0' }

  for (const [path, body] of REQUESTS) {
    const kind = 'stream' in body ? 'a stream' : 'a whole answer'
    it(`has the status 499 in the log and the metrics, at ${path} for ${kind}`, async () => {
      const leaving = new AbortController()
      onAsked = () => leaving.abort()
      const response = await served.fetch(path, { body, headers, signal: leaving.signal })
      await response.text().catch(() => 'left')
      expect(statuses()).to.deep.equal([499])
      const { text } = await served.ask('/metrics')
      expect(text).to.match(/^braidwork_requests_total\{route="[^"]*",status="499"\} 1$/m)
    })
  }

  it('keeps its own status if the client leaves afterwards', async () => {
    const leaving = new AbortController()
    const body = { model: 'quick', messages, stream: true }
    const { signal } = leaving
    const response = await served.fetch('/v1/chat/completions', { body, headers, signal })
    leaving.abort()
    await response.text().catch(() => 'left')
    expect(statuses()).to.deep.equal([200])
  })
})
