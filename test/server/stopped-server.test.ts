import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import type { Context } from '../../src/plugin/index.ts'
import { eventProvider } from '../helpers/plugins.ts'
import { Served } from './routes/served.ts'

const messages = [{ role: 'user', content: 'go' }]

/** Requests for whole answers, with the code of their error. */
const REQUESTS = [
  ['/v1/chat/completions', { model: 'quick', messages }, 'server_error host_closed'],
  ['/v1/messages', { model: 'quick', max_tokens: 99, messages }, 'api_error undefined'],
  ['/v1/responses', { model: 'quick', input: 'go' }, 'server_error host_closed'],
] as const

describe('a whole answer that is cut off', () => {
  let served: Served
  let storage: Storage
  let isAsked: Promise<void>
  beforeEach(async () => {
    let tell: () => void
    isAsked = new Promise((resolve) => {
      tell = resolve
    })
    const stream = async function* (_native: unknown, _state: unknown, { signal }: Context) {
      tell()
      yield { type: 'text-start', id: '1' }
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    }
    storage = memoryStorage()
    served = await Served.start(
      { storage, models: { quick: { config: { model: 'm' } } } },
      { plugins: [eventProvider([], { stream, models: ['m'] })], config: { provider: 'p' } },
    )
  })
  afterEach(() => served.close())

  for (const [path, body, words] of REQUESTS) {
    it(`at ${path} is 503 with a time to ask again if the server stops`, async () => {
      const asked = served.ask(path, { body })
      await isAsked
      await served.close()
      const { status, headers, json } = await asked
      const { type, code } = json['error'] ?? {}
      expect(`${type} ${code}`).to.equal(words)
      expect(status).to.equal(503)
      expect(headers.get('retry-after')).to.equal('1')
      expect(headers.get('x-should-retry')).to.equal(null)
    })
  }

  for (const [path, body] of REQUESTS.filter(([route]) => route !== '/v1/messages')) {
    it(`at ${path} is 409, not to be asked again, if a person stops its run`, async () => {
      const asked = served.ask(path, { body: { ...body, store: true } })
      await isAsked
      const [lease] = await storage.runs.leases()
      await served.ask(`/runs/${lease?.runId}/stop`, { method: 'POST' })
      const { status, headers } = await asked
      expect(status).to.equal(409)
      expect(headers.get('x-should-retry')).to.equal('false')
    })
  }
})
