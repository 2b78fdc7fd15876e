import { expect } from 'chai'
import { Served } from './served.ts'

describe('a response of the Responses API', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start()
  })
  afterEach(() => served.close())

  it('has its metadata, its predecessor and that it is stored, at once and when it is asked for later', async () => {
    const ask = (more: object) =>
      served.ask('/v1/responses', { body: { model: 'quick', input: 'hi', store: true, ...more } })
    const { json: first } = await ask({ metadata: { order: '7' } })
    expect(first).to.deep.include({ store: true, metadata: { order: '7' } })
    const { json: second } = await ask({ previous_response_id: first['id'] })
    expect(second).to.deep.include({ previous_response_id: first['id'], metadata: {} })
    for (const answer of [first, second]) {
      const { json } = await served.ask(`/v1/responses/${String(answer['id'])}`)
      for (const key of ['store', 'metadata', 'previous_response_id']) {
        expect(json[key], key).to.deep.equal(answer[key])
      }
    }
  })
})
