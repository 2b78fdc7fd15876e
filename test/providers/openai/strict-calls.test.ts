import { expect } from 'chai'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { run } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/index.ts'
import { tool } from '../../helpers/plugins.ts'

const SEARCH = {
  type: 'object',
  properties: { query: { type: 'string' }, limit: { type: 'integer' } },
  required: ['query'],
}
const WRITTEN = '{"query":"braid","limit":null}'

interface Asked {
  readonly tools: readonly { readonly function: object }[]
  readonly messages: readonly { readonly role: string; readonly tool_calls?: unknown }[]
}

function streamOf(...choices: readonly object[]): Response {
  const lines = choices.map((choice) => JSON.stringify({ choices: [{ index: 0, ...choice }] }))
  const text = [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join('')
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

/** The first answer calls the tool, every other says that it is done. */
function answerTo({ messages }: Asked): Response {
  if (messages.length > 1) return streamOf({ delta: { content: 'Done.' }, finish_reason: 'stop' })
  const call = { name: 'search', arguments: WRITTEN }
  const tool_calls = [{ index: 0, id: 'call_1', type: 'function', function: call }]
  return streamOf({ delta: { tool_calls } }, { delta: {}, finish_reason: 'tool_calls' })
}

describe('a call by a strict schema of OpenAI', () => {
  it('reaches the tool by its own schema, and goes back as the model wrote it', async () => {
    const asked: Asked[] = []
    const got: unknown[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      const body = JSON.parse(String(init?.body)) as Asked
      asked.push(body)
      return answerTo(body)
    }
    const search = tool('search', {
      getToolSchemas: () => [{ name: 'search', description: 'Finds', input_schema: SEARCH }],
      executeTool: ({ input }: { input: unknown }) => {
        got.push(input)
        return 'found'
      },
    })
    await using host = await createHost({ plugins: [createOpenAI({ fetch }), search] })
    const settings = { openai: { api_key: 'sk-test-0123456789', api: 'chat' } }
    const config = { provider: 'openai', model: 'gpt-4.1', settings }
    const { status } = await run(host, { config, messages: 'Find it' }).result
    expect(status).to.equal('done')
    expect(got).to.deep.equal([{ query: 'braid' }])
    const [first, second] = asked
    expect(first?.tools[0]?.function).to.deep.include({
      strict: true,
      parameters: {
        type: 'object',
        properties: { query: { type: 'string' }, limit: { type: ['integer', 'null'] } },
        required: ['query', 'limit'],
        additionalProperties: false,
      },
    })
    expect(second?.messages[1]?.tool_calls).to.deep.equal([
      { id: 'call_1', type: 'function', function: { name: 'search', arguments: WRITTEN } },
    ])
  })
})
