import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { expect } from 'chai'
import { failureOf } from './failure-of.ts'
import { PackedServer } from './packed-server.ts'
import { SERVED } from './scripts.ts'

const LOCATE = {
  name: 'locate',
  description: 'Where a city is',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
}

describe("Anthropic's client with a server", function () {
  this.timeout(60_000)
  let server: PackedServer
  let client: Anthropic
  before(async () => {
    server = await PackedServer.start(SERVED)
    client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
  })
  after(async () => {
    if (server) expect(await server.stop()).to.equal(0)
  })

  const asking = (content: string, model = 'quick') => ({
    model,
    max_tokens: 1000,
    messages: [{ role: 'user' as const, content }],
  })

  it('lists the published models as its own API does', async () => {
    const { data } = await client.models.list()
    expect(data[0]).to.include({ id: 'quick', display_name: 'Quick', type: 'model' })
    expect((await client.models.retrieve('slow')).id).to.equal('slow')
  })

  it('streams thinking and text', async () => {
    const thinking = { type: 'adaptive' as const }
    const stream = client.messages.stream({ ...asking('hello'), thinking })
    const message = await stream.finalMessage()
    expect(message.content.map(({ type }) => type)).to.deep.equal(['thinking', 'text'])
    expect(await stream.finalText()).to.equal('You said: hello')
    expect(message.stop_reason).to.equal('end_turn')
    expect(message.usage.output_tokens).to.equal(5)
  })

  it('uses its own tools beside those of the server, and goes on with all results', async () => {
    const asked = { ...asking('both'), tools: [LOCATE] }
    const first = await client.messages.stream(asked).finalMessage()
    const uses = first.content.filter((block) => block.type === 'tool_use')
    expect(uses.map(({ name, input }) => [name, input])).to.deep.equal([
      ['locate', { city: 'Rome' }],
    ])
    expect(first.stop_reason).to.equal('tool_use')
    const result = { type: 'tool_result' as const, tool_use_id: uses[0]!.id, content: 'there' }
    const second = await client.messages.create({
      ...asked,
      messages: [
        ...asked.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ],
    })
    expect(second.content).to.deep.include({
      type: 'text',
      text: 'Rome is at there.',
    })
  })

  it('is told in its own words what there is not', async () => {
    const failure = await failureOf<APIError>(client.messages.batches.list())
    expect(failure).to.be.instanceOf(Anthropic.NotFoundError)
    expect(failure.type).to.equal('not_found_error')
    const address = `${server.url}/v1/messages/batches`
    const bare = await fetch(address, { method: 'POST', body: '{}' })
    expect(await bare.json()).to.have.nested.property('error.type', 'not_found_error')
  })

  it('is told of errors before and after the first byte', async () => {
    const before = await failureOf(client.messages.create(asking('overload')))
    expect(before).to.be.instanceOf(APIError).and.include({ status: 529 })
    const after = await failureOf(client.messages.stream(asking('break')).finalMessage())
    expect(after).to.be.instanceOf(Anthropic.AnthropicError)
    expect(after.message).to.include('ended too early')
  })
})
