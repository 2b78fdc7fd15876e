import { expect } from 'chai'
import { Served, servedCut } from './served.ts'

interface Item {
  readonly id: string
  readonly type: string
}

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

  it('repeats what its request asked for, in a stream and when it is asked for later too', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
    const look = { type: 'function', name: 'look', parameters: schema, strict: false }
    const repeated = {
      instructions: 'Be short.',
      max_output_tokens: 100,
      parallel_tool_calls: false,
      temperature: 0.5,
      text: { format: { type: 'json_schema', name: 'n', schema } },
      tool_choice: 'none',
      tools: [look],
      top_p: 0.9,
    }
    const body = {
      ...repeated,
      model: 'quick',
      input: 'hi',
      store: true,
      text: { ...repeated.text, verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [look, { type: 'web_search' }],
    }
    const { json } = await served.ask('/v1/responses', { body })
    expect(json).to.deep.include(repeated)
    const later = await served.ask(`/v1/responses/${String(json['id'])}`)
    expect(later.json).to.deep.include(repeated)
    const { text } = await served.ask('/v1/responses', { body: { ...body, stream: true } })
    const heads = [...text.matchAll(/^data: (.*"type":"response\.(?:created|completed)".*)$/gm)]
    expect(heads).to.have.length(2)
    for (const [, event = ''] of heads) {
      const { response } = JSON.parse(event) as { readonly response: object }
      expect(response).to.deep.include(repeated)
    }
  })

  it('is without calls of the host for clients that refuse them, and for those that want none', async () => {
    const AI_SDK_5 = 'ai/5.0.277 ai-sdk/provider-utils/3.0.40 runtime/node.js/v20.20.2'
    const body = { model: 'quick', input: 'calculate', store: true }
    const itemsOf = async (headers: { readonly [name: string]: string }) => {
      const { json } = await served.ask('/v1/responses', { body, headers })
      const stored = await served.ask(`/v1/responses/${String(json['id'])}`, { headers })
      expect(stored.json['output']).to.deep.equal(json['output'])
      return json['output'] as unknown as readonly Item[]
    }
    const bare = (items: readonly Item[]) =>
      items.map(({ id, type }) => [type, id.replace(/^.*_/, '')].join())
    const all = bare(await itemsOf({}))
    expect(all.join(' ')).to.include('mcp_call')
    const others = all.filter((item) => !item.startsWith('mcp_call'))
    for (const headers of [{ 'user-agent': AI_SDK_5 }, { 'x-braidwork-host-calls': 'none' }]) {
      expect(bare(await itemsOf(headers))).to.deep.equal(others)
      const streamed = await served.ask('/v1/responses', {
        body: { ...body, stream: true },
        headers,
      })
      expect(streamed.text).to.not.include('mcp_call')
      const ids = [
        ...streamed.text.matchAll(/output_item.done",.*"item":\{"id":"\w+?_([\w.-]+)_(\d+)"/g),
      ]
      expect(ids.map(([, , at]) => at)).to.deep.equal(others.map((item) => item.replace(/.*,/, '')))
    }
    expect(
      bare(await itemsOf({ 'user-agent': 'ai/6.0.326 ai-sdk/provider-utils/4.0.44' })),
    ).to.deep.equal(all)
    const wrong = await served.ask('/v1/responses', {
      body,
      headers: { 'x-braidwork-host-calls': 'all' },
    })
    expect(wrong.status).to.equal(400)
  })

  it('has the defaults of the API where its request says nothing', async () => {
    const { json } = await served.ask('/v1/responses', { body: { model: 'quick', input: 'hi' } })
    expect(json).to.deep.include({
      access_programs: null,
      instructions: null,
      max_output_tokens: null,
      parallel_tool_calls: true,
      reasoning: { effort: null, summary: null },
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
    })
  })
})

describe('a stream of the Responses API that breaks off', () => {
  let served: Served
  before(async () => {
    served = await servedCut()
  })
  after(() => served.close())

  async function typesFor(client: string): Promise<readonly string[]> {
    const body = { model: 'cut', input: 'hi', stream: true }
    const { text } = await served.ask('/v1/responses', { body, headers: { 'user-agent': client } })
    return [...text.matchAll(/^event: (.*)$/gm)].map(([, type = '']) => type).slice(-2)
  }

  for (const client of [
    'langchainjs-openai/1.0.0 ((node/v20.20.2; linux; x64))',
    'node',
    'ai-sdk/openai/2.0.131 ai-sdk/provider-utils/3.0.40 runtime/node.js/v20.20.2',
    'ai-sdk-openai/4.0.118 ai-sdk-provider-utils/5.0.81 node.js/v20.20.2',
  ]) {
    it(`ends with an error that ${client.split(' ')[0]} reads, and the failure`, async () => {
      expect(await typesFor(client)).to.deep.equal(['error', 'response.failed'])
    })
  }

  for (const client of [
    'OpenAI/JS 6.49.0',
    'AsyncOpenAI/Python 3.3.0',
    'Agents/JavaScript 0.20.0',
    'OpenAI/Go 3.99.0',
    'OpenAIClientImpl/Java 4.105.0',
    'OpenAIClientAsyncImpl/Java 4.105.0',
    'OpenAI::Client/Ruby 0.1.0',
  ]) {
    it(`ends with the failure alone for ${client}, which throws at an error before it`, async () => {
      expect(await typesFor(client)).to.deep.equal(['response.output_item.done', 'response.failed'])
    })
  }
})
