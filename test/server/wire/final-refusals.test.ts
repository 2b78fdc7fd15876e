import { expect } from 'chai'
import { Served } from '../routes/served.ts'

const messages = [{ role: 'user', content: 'hi' }]
const REQUESTS = {
  '/v1/chat/completions': { model: 'm', messages },
  '/v1/messages': { model: 'm', messages, max_tokens: 9 },
  '/v1/responses': { model: 'm', input: 'hi' },
}

describe('an answer of the Messages API', () => {
  it('has the id of its run as that of the request, which clients show', async () => {
    const served = await Served.start()
    const body = { model: 'quick', messages, max_tokens: 9 }
    for (const stream of [false, true]) {
      const { headers } = await served.ask('/v1/messages', { body: { ...body, stream } })
      expect(headers.get('x-run-id')).to.be.a('string')
      expect(headers.get('request-id')).to.equal(headers.get('x-run-id'))
    }
    await served.close()
  })
})

describe('a refusal for which the request itself is at fault', () => {
  let served: Served
  before(async () => {
    served = await Served.start({ models: { m: {} } })
  })
  after(() => served.close())

  for (const [path, body] of Object.entries(REQUESTS)) {
    const refused = async (asked: object) => {
      const { status, headers } = await served.ask(path, { body, ...asked })
      return [status, headers.get('x-should-retry')]
    }

    it(`tells clients of ${path} not to repeat the request`, async () => {
      const wrong = { headers: { authorization: 'Bearer nobody-0123456789abcdef' } }
      expect(await refused(wrong)).to.deep.equal([401, 'false'])
      expect(await refused({ body: { ...body, model: 'unknown' } })).to.deep.equal([404, 'false'])
      expect(await refused({ body: { ...body, top_p: 'x' } })).to.deep.equal([400, 'false'])
    })
  }
})
