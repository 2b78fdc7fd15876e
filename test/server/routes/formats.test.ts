import { expect } from 'chai'
import structuredOutput from '../../../features/structured-output/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import { Served } from './served.ts'

const schema = { type: 'object', properties: {} }
const LOCATE = { name: 'locate', parameters: schema }
const REQUESTS: {
  readonly [path: string]: { readonly tools: readonly object[]; readonly [name: string]: unknown }
} = {
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
/** The first answer is not in the format, the second is. */
const TRIES = {
  provider: 'scripted',
  enabled_plugins: ['structured-output'],
  settings: {
    scripted: {
      script: [
        { when: { text: 'twice', step: 1 }, then: { text: 'First words.' } },
        { then: { text: '{"second":"try"}' } },
      ],
    },
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

describe('an answer in a format that a feature asked for again', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start(
      { models: { quick: {} } },
      { plugins: [scripted, structuredOutput], config: TRIES },
    )
  })
  afterEach(() => served.close())

  for (const [path, { tools: _, ...request }] of Object.entries(REQUESTS)) {
    it(`has the text of the second try alone at ${path}, where it is not a stream`, async () => {
      const { text } = await served.ask(path, { body: { model: 'quick', ...request } })
      expect(text).to.include('second').and.not.include('First words')
    })
  }
})
