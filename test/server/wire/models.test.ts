import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI from 'openai'
import {
  anthropicModel,
  anthropicModels,
  openAIModel,
  openAIModels,
} from '../../../src/server/wire/models.ts'
import { ApiServer } from './api-server.ts'

const MODELS = [
  { name: 'assistant', title: 'The assistant', createdAt: 1_700_000_000_123 },
  { name: 'assistant-plain' },
]

describe('lists of models', () => {
  let server: ApiServer
  before(async () => {
    server = await new ApiServer().start()
  })
  after(async () => {
    await server.close()
  })

  function serve(body: object): void {
    server.serve = () => ({ status: 200, headers: {}, body })
  }

  it("are read by OpenAI's client, all and one by one", async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0 })
    serve(openAIModels(MODELS))
    const ids: string[] = []
    for await (const { id } of client.models.list()) ids.push(id)
    expect(ids).to.deep.equal(['assistant', 'assistant-plain'])
    serve(openAIModel(MODELS[0]!))
    expect(await client.models.retrieve('assistant')).to.deep.include({
      id: 'assistant',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'braidwork',
    })
  })

  it('have a title as their name in the format of OpenAI', () => {
    const [titled, plain] = openAIModels(MODELS).data
    expect(titled).to.include({ id: 'assistant', name: 'The assistant' })
    expect(plain).to.not.have.property('name')
  })

  it("are read by Anthropic's client, all and one by one", async () => {
    const client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
    serve(anthropicModels(MODELS))
    const names: string[] = []
    for await (const model of client.models.list()) names.push(model.display_name)
    expect(names).to.deep.equal(['The assistant', 'assistant-plain'])
    serve(anthropicModel(MODELS[1]!))
    const model = await client.models.retrieve('assistant-plain')
    expect(model.created_at).to.equal('1970-01-01T00:00:00.000Z')
  })

  it('may be empty', () => {
    expect(openAIModels([]).data).to.deep.equal([])
    expect(anthropicModels([])).to.deep.include({ data: [], first_id: null, has_more: false })
  })
})
