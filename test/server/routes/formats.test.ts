import { expect } from 'chai'
import { Served } from './served.ts'

const schema = { type: 'object', properties: {} }
const LOCATE = { name: 'locate', parameters: schema }
const REQUESTS: { readonly [path: string]: object } = {
  '/v1/chat/completions': {
    messages: [{ role: 'user', content: 'twice' }],
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
    tools: [{ type: 'function', function: LOCATE }],
  },
  '/v1/responses': {
    input: 'twice',
    text: { format: { type: 'json_schema', name: 'n', schema } },
    tools: [{ type: 'function', ...LOCATE }],
  },
  '/v1/messages': {
    max_tokens: 100,
    messages: [{ role: 'user', content: 'twice' }],
    output_config: { format: { type: 'json_schema', schema } },
    tools: [{ name: 'locate', input_schema: schema }],
  },
}
const FORMATS = ['response_format', 'text', 'output_config']

describe('an answer in a format, whose model says something before it calls the host', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start()
  })
  afterEach(() => served.close())

  for (const [path, request] of Object.entries(REQUESTS)) {
    const ask = async (more: object = {}) =>
      (await served.ask(path, { body: { model: 'quick', ...request, ...more } })).text

    it(`has the text of the last step alone at ${path}, whole and as a stream`, async () => {
      for (const stream of [false, true]) {
        const text = await ask({ stream })
        expect(text)
          .to.match(/\bIt\b/)
          .and.not.include('Both')
      }
    })

    it(`has all texts at ${path} without a format`, async () => {
      const none = Object.fromEntries(FORMATS.map((name) => [name, undefined]))
      for (const stream of [false, true]) {
        const text = await ask({ stream, ...none })
        expect(text).to.include('Both?').and.include('\\n\\nIt')
      }
    })
  }
})
