import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI from 'openai'
import { type SocketServer, socketServer } from './socket-server.ts'

const PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
}
/** As pydantic-ai and others ask for structured output. */
const RESULT = { name: 'final_result', description: 'The answer', parameters: PARAMETERS }

describe('a call that a client requires, beside tools of the host', () => {
  let server: SocketServer
  before(async () => {
    const settings = { scripted: { delay_ms: 0 } }
    server = await socketServer({ models: { quick: {} } }, { config: { settings } })
  })
  after(() => server.close())

  const openai = () => new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0 })

  for (const choice of ['required', 'named'] as const) {
    it(`is one of its own at chat completions: ${choice}`, async () => {
      const named = { type: 'function' as const, function: { name: RESULT.name } }
      const { choices } = await openai().chat.completions.create({
        model: 'quick',
        messages: [{ role: 'user', content: 'What is 6 * 7?' }],
        tools: [{ type: 'function', function: RESULT }],
        tool_choice: choice === 'named' ? named : 'required',
      })
      const [call] = choices[0]?.message.tool_calls ?? []
      expect(call?.type === 'function' && call.function.name).to.equal('final_result')
      expect(choices[0]?.finish_reason).to.equal('tool_calls')
    })

    it(`is one of its own at responses: ${choice}`, async () => {
      const { output } = await openai().responses.create({
        model: 'quick',
        input: 'What is 6 * 7?',
        tools: [{ type: 'function', strict: null, ...RESULT }],
        tool_choice: choice === 'named' ? { type: 'function', name: RESULT.name } : 'required',
      })
      const types = output.map(({ type }) => type).filter((type) => type !== 'reasoning')
      expect(types.at(-1)).to.equal('function_call')
      if (choice === 'required') expect(types, 'the host was asked first').to.include('mcp_call')
    })

    it(`is one of its own at Anthropic's messages: ${choice}`, async () => {
      const client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
      const { name, description, parameters: input_schema } = RESULT
      const message = await client.messages.create({
        model: 'quick',
        max_tokens: 1000,
        messages: [{ role: 'user', content: 'What is 6 * 7?' }],
        tools: [{ name, description, input_schema }],
        tool_choice: choice === 'named' ? { type: 'tool', name } : { type: 'any' },
      })
      expect(message.content.at(-1)).to.deep.include({ type: 'tool_use', name })
      expect(message.stop_reason).to.equal('tool_use')
    })
  }
})
