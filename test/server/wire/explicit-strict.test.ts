import { expect } from 'chai'
import { Upstream } from './upstream.ts'

const parameters = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const messages = [{ role: 'user', content: 'hi' }]
const tools = (more: object) => [{ type: 'function', name: 'f', parameters, ...more }]

const REQUESTS = {
  '/v1/responses': (model: string, more: object) => ({ model, input: 'hi', tools: tools(more) }),
  '/v1/chat/completions': (model: string, more: object) => ({
    model,
    messages,
    tools: tools(more).map(({ type, ...called }) => ({ type, function: called })),
  }),
  '/v1/messages': (model: string, more: object) => ({
    model,
    messages,
    max_tokens: 9,
    tools: [{ name: 'f', input_schema: parameters, ...more }],
  }),
}

describe('a tool whose client says whether it is strict', () => {
  let upstream: Upstream
  before(async () => {
    const chat = { settings: { openai: { api: 'chat' } } }
    upstream = await Upstream.start({
      responses: { provider: 'openai', model: 'gpt-5.2' },
      chat: { provider: 'openai', model: 'gpt-5.2', ...chat },
    })
  })
  after(() => upstream.close())

  for (const [path, request] of Object.entries(REQUESTS)) {
    for (const model of ['responses', 'chat']) {
      it(`is not strict at the ${model} API where ${path} says so, and strict by default`, async () => {
        const strictOf = async (more: object) => {
          const { sent, ignored } = await upstream.bodyOf(path, request(model, more))
          const [tool] = sent['tools'] as { strict?: boolean; function?: { strict: boolean } }[]
          return [tool?.function?.strict ?? tool?.strict, ignored]
        }
        expect(await strictOf({})).to.deep.equal([true, null])
        expect(await strictOf({ strict: false })).to.deep.equal([false, null])
      })
    }
  }
})
