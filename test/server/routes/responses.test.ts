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
    const expected = { ...repeated, reasoning: { effort: 'low', summary: null } }
    const { json } = await served.ask('/v1/responses', { body })
    expect(json).to.deep.include(expected)
    const later = await served.ask(`/v1/responses/${String(json['id'])}`)
    expect(later.json).to.deep.include(expected)
    const { text } = await served.ask('/v1/responses', { body: { ...body, stream: true } })
    const heads = [...text.matchAll(/^data: (.*"type":"response\.(?:created|completed)".*)$/gm)]
    expect(heads).to.have.length(2)
    for (const [, event = ''] of heads) {
      const { response } = JSON.parse(event) as { readonly response: object }
      expect(response).to.deep.include(expected)
    }
  })

  it('has the defaults of the API where its request says nothing', async () => {
    const { json } = await served.ask('/v1/responses', { body: { model: 'quick', input: 'hi' } })
    expect(json).to.deep.include({
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
