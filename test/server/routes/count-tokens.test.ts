import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI from 'openai'
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

describe("OpenAI's client that counts tokens", () => {
  let served: OnSocket
  let client: OpenAI
  before(async () => {
    served = await onSocket()
    client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: ADA, maxRetries: 0 })
  })
  after(() => served.close())

  type Counted = OpenAI.Responses.InputTokenCountParams

  const count = async (more: Counted = {}) => {
    const body = { model: 'quick', input: hello.content, ...more }
    return (await client.responses.inputTokens.count(body)).input_tokens
  }

  it('gets an estimate, which says so, and grows with what is sent', async () => {
    const body = { model: 'quick', input: hello.content }
    const { data, response } = await client.responses.inputTokens.count(body).withResponse()
    expect({ ...data }).to.deep.equal({ object: 'response.input_tokens', input_tokens: 9 })
    expect(response.headers.get('x-braidwork-estimated')).to.equal('input_tokens')
    expect(await count({ instructions: 'x'.repeat(400) })).to.equal(9 + 104)
    const { name, description, input_schema: parameters } = TOOL
    const tool = { type: 'function', strict: false, name, description, parameters } as const
    expect(await count({ tools: [tool] })).to.be.within(9 + 20, 9 + 60)
  })

  it('needs no model', async () => {
    expect(await count({ model: null })).to.equal(9)
    const { input_tokens } = await client.responses.inputTokens.count({ input: hello.content })
    expect(input_tokens).to.equal(9)
  })

  it('counts what the request continues, and starts no run', async () => {
    const { id: conversation } = await client.conversations.create({})
    expect(await count({ conversation })).to.equal(9)
    const asked = { model: 'quick', input: hello.content }
    const { id } = await client.responses.create({ ...asked, conversation })
    const continued = await count({ conversation })
    expect(continued).to.be.above(9 + 9)
    expect(await count({ previous_response_id: id })).to.equal(continued)
    const { data } = await client.conversations.items.list(conversation)
    expect(data.filter(({ type }) => type === 'message')).to.have.length(2)
    expect(served.server.activeRuns).to.equal(0)
  })

  it('is told what is wrong, in the words of its API', async () => {
    for (const [body, status, param] of [
      [{ model: 'nope' }, 404, 'model'],
      [{ input: [] }, 400, 'input'],
      [{ conversation: 'conv_none' }, 404, null],
      [{ previous_response_id: 'resp_none' }, 400, 'previous_response_id'],
      [{ previous_response_id: 'resp_none', conversation: 'conv_none' }, 400, 'conversation'],
    ] as const) {
      const error = await count(body as Counted).catch((thrown: unknown) => thrown)
      expect(error, JSON.stringify(body)).to.be.instanceOf(OpenAI.APIError)
      expect(error).to.include({ status, param })
    }
  })
})
