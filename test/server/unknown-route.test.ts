import { expect } from 'chai'
import { Served } from './routes/served.ts'

describe('a path that no route has', () => {
  let served: Served
  before(async () => {
    served = await Served.start()
  })
  after(() => served.close())

  const told = async (path: string) => {
    const { status, text } = await served.ask(path, { body: {} })
    expect(status).to.equal(404)
    return text.replaceAll('\\"', '"')
  }

  it('names the right base URL to a client that adds /v1 itself', async () => {
    for (const path of ['/messages', '/messages/count_tokens', '/responses']) {
      expect(await told(`/v1/v1${path}`)).to.include(`It has /v1${path}: the client adds "/v1"`)
    }
  })

  it('names the right base URL to a client that adds none', async () => {
    for (const path of ['/messages', '/responses', '/chat/completions', '/embeddings']) {
      expect(await told(path)).to.include(`It has /v1${path}: let the base URL`)
    }
  })

  it('names none where the client did not mean an API', async () => {
    for (const path of ['/v1/unknown', '/v2', `/${'x'.repeat(100)}/messages`]) {
      expect(await told(path)).not.to.include('It has')
    }
  })
})
