import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import { ADA, type OnSocket, onSocket } from '../hostile/on-socket.ts'

const hello = { role: 'user', content: 'Hello, who are you?' } as const
const TOOL = {
  name: 'locate',
  description: 'Where a city is',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
} as const

describe("Anthropic's client that counts tokens", () => {
  let served: OnSocket
  let client: Anthropic
  before(async () => {
    served = await onSocket()
    client = new Anthropic({ baseURL: served.url, apiKey: ADA, maxRetries: 0 })
  })
  after(() => served.close())

  const count = async (more: object = {}) => {
    const body = { model: 'quick', messages: [hello], ...more }
    return (await client.messages.countTokens(body)).input_tokens
  }

  it('gets an estimate, which says so, and grows with what is sent', async () => {
    const body = { model: 'quick', messages: [hello] }
    const { data, response } = await client.messages.countTokens(body).withResponse()
    expect(data).to.deep.equal({ input_tokens: 9 })
    expect(response.headers.get('x-braidwork-estimated')).to.equal('input_tokens')
    expect(await count({ system: 'x'.repeat(400) })).to.equal(9 + 104)
    expect(await count({ tools: [TOOL] })).to.be.within(9 + 20, 9 + 60)
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
    }
    expect(await count({ messages: [{ role: 'user', content: [image] }] })).to.be.above(1000)
  })

  it('starts no run', async () => {
    await count()
    expect(served.server.activeRuns).to.equal(0)
  })

  it('is told what is wrong, in the words of its API', async () => {
    for (const [body, status, text] of [
      [{ model: 'nope' }, 404, 'not_found_error'],
      [{ messages: [] }, 400, 'invalid_request_error'],
      [{ messages: [{ role: 'user', content: 3 }] }, 400, 'invalid_request_error'],
      [{ provider: 'x' }, 400, 'set on the server only'],
    ] as const) {
      const error = await count(body).catch((thrown: unknown) => thrown)
      expect(error, JSON.stringify(body)).to.be.instanceOf(Anthropic.APIError)
      expect(error).to.include({ status })
      expect(JSON.stringify((error as { error: unknown }).error)).to.include(text)
    }
  })
})
