import { expect } from 'chai'
import { Served } from './routes/served.ts'

describe('a path that no route has', () => {
  let served: Served
  before(async () => {
    served = await Served.start()
  })
  after(() => served.close())

  const told = async (path: string, method = 'POST') => {
    const body = method === 'GET' ? {} : { body: {} }
    const { status, text } = await served.ask(path, { ...body, method })
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

  it('names the slashes that a base URL with a slash at its end makes', async () => {
    const [chat, messages] = ['/v1/chat/completions', '/v1/messages']
    const doubled = { '/v1//chat/completions': chat, '//v1/messages': messages }
    for (const [path, right] of Object.entries({ ...doubled, '/v1//messages': messages })) {
      expect(await told(path)).to.include(`It has ${right}: the path has two slashes in a row`)
    }
    const twice = await told('/v1//v1/messages')
    expect(twice).to.include('It has /v1/messages: the client adds "/v1" itself')
  })

  it('names routes alone that it has', async () => {
    const azure = '/openai/deployments/m/chat/completions'
    for (const path of [azure, `/v1${azure}`]) {
      expect(await told(path)).to.include('It has /v1/chat/completions: the path is one of Azure')
    }
    expect(await told('/api/v1/messages')).to.include('It has /v1/messages.')
    expect(await told('/api/messages')).to.include('It has /v1/messages: let the base URL')
  })

  it('names them below the base path of the server, to clients that know it', async () => {
    const based = await Served.start({ basePath: '/ai' })
    const of = async (path: string) => (await based.ask(path, { body: {} })).text
    expect(await of('/ai/responses')).to.include('It has /ai/v1/responses: let')
    expect(await of('/ai/v1/v1/messages')).to.include('It has /ai/v1/messages: the client adds')
    expect(await of('/messages')).not.to.include('It has')
    await based.close()
  })

  it('names none where the client did not mean an API', async () => {
    for (const path of ['/v1/unknown', '/v2', `/${'x'.repeat(100)}/messages`]) {
      expect(await told(path)).not.to.include('It has')
    }
    expect(await told('/messages', 'GET')).not.to.include('It has')
  })
})
