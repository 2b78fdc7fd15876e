import { expect } from 'chai'
import compatible from '../../providers/openai-compatible/index.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { jsonReply } from '../../scripts/replay/replies.ts'
import { Served } from './routes/served.ts'

const messages = [{ role: 'user', content: 'hi' }]
const STREAMS: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { model: 'm', messages, stream: true }],
  ['/v1/messages', { model: 'm', messages, max_tokens: 9, stream: true }],
  ['/v1/responses', { model: 'm', input: 'hi', stream: true }],
]

describe('a wait that a model API asks for', () => {
  let api: ReplayServer
  let served: Served
  before(async () => {
    api = await new ReplayServer().start()
  })
  after(() => api.close())
  beforeEach(async () => {
    api.requests.length = 0
    const own = { api_key: 'sk-test-0123456789', base_url: api.url }
    const config = {
      provider: 'openai-compatible',
      model: 'x',
      settings: { [compatible.name]: own },
    }
    served = await Served.start({ models: { m: {} } }, { plugins: [compatible], config })
  })
  afterEach(() => served.close())

  const refuse = (headers: { readonly [name: string]: string }) => {
    api.reply = () => jsonReply({ error: { message: 'wait' } }, { status: 429, headers })
  }

  for (const [path, body] of STREAMS) {
    it(`is told at once to the client of a stream whose head could not wait for it: ${path}`, async () => {
      refuse({ 'retry-after': '8' })
      const { status, headers, text } = await served.ask(path, { body })
      expect(status, text).to.equal(429)
      expect(headers.get('retry-after')).to.equal('8')
      expect(api.requests).to.have.length(1)
    })

    it(`is waited for where the head can wait: ${path}`, async () => {
      refuse({ 'retry-after-ms': '20' })
      const { status } = await served.ask(path, { body })
      expect(status).to.equal(429)
      expect(api.requests).to.have.length(3)
    })
  }
})
