import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { hasShared, SHARED_IS_MISSING } from '../../helpers/recordings.ts'
import { IS_EXHAUSTIVE } from '../../hostile/answers.ts'
import { functionOf, RecordedServer, shownCall } from './recorded-server.ts'

describe('recorded answers through provider, server and client', function () {
  this.timeout(IS_EXHAUSTIVE ? 300_000 : 60_000)
  let served: RecordedServer
  before(async () => {
    served = await RecordedServer.start()
  })
  after(() => served?.close())

  it('has the recordings of others to read', function () {
    if (hasShared) return
    this.test!.title += SHARED_IS_MISSING
    this.skip()
  })

  it("reach OpenAI's client of chat completions", async function () {
    const client = openAIClient(served.url)
    await served.compare(this, async ({ model, tools }) => {
      let reasoning = ''
      const stream = client.chat.completions.stream({
        model,
        messages: [{ role: 'user', content: 'Hello' }],
        stream_options: { include_usage: true },
        ...(tools.length > 0 ? { tools: tools.map((name) => functionOf(name)) } : {}),
      })
      stream.on('chunk', ({ choices }) => {
        const delta = choices[0]?.delta as { reasoning_content?: string } | undefined
        reasoning += delta?.reasoning_content ?? ''
      })
      const { choices, usage } = await stream.finalChatCompletion()
      const { content, refusal, tool_calls: calls = [] } = choices[0]!.message
      return {
        text: `${content ?? ''}${refusal ?? ''}`,
        reasoning,
        calls: calls.map((call) =>
          call.type === 'function' ? shownCall(call.function.name, call.function.arguments) : '',
        ),
        usage: [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0],
      }
    })
  })

  it("reach OpenAI's client of responses", async function () {
    const client = openAIClient(served.url)
    await served.compare(this, async ({ model, tools }) => {
      const stream = client.responses.stream({
        model,
        input: 'Hello',
        tools: tools.map((name) => ({
          type: 'function',
          strict: false,
          ...functionOf(name).function,
        })),
      })
      const { output, usage } = await stream.finalResponse()
      return {
        text: output.map(saidIn).join(''),
        reasoning: output.map(thoughtIn).join(''),
        calls: output.flatMap((item) =>
          item.type === 'function_call' ? [shownCall(item.name, item.arguments)] : [],
        ),
        usage: [usage?.input_tokens ?? 0, usage?.output_tokens ?? 0],
      }
    })
  })

  it("reach Anthropic's client", async function () {
    const client = new Anthropic({ baseURL: served.url, apiKey: 'any', maxRetries: 0 })
    await served.compare(this, async ({ model, tools }) => {
      const stream = client.messages.stream({
        model,
        max_tokens: 1000,
        messages: [{ role: 'user', content: 'Hello' }],
        thinking: { type: 'adaptive' },
        tools: tools.map((name) => ({ name, input_schema: { type: 'object' } })),
      })
      const { content, usage } = await stream.finalMessage()
      const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
      return {
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        reasoning: content
          .map((block) => (block.type === 'thinking' ? block.thinking : ''))
          .join(''),
        calls: content.flatMap((block) =>
          block.type === 'tool_use' ? [shownCall(block.name, JSON.stringify(block.input))] : [],
        ),
        usage: [usage.input_tokens + cached, usage.output_tokens],
      }
    })
  })
})

function openAIClient(url: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
}

function saidIn(item: OpenAI.Responses.ResponseOutputItem): string {
  const parts = item.type === 'message' ? item.content : []
  return parts.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join('')
}

function thoughtIn(item: OpenAI.Responses.ResponseOutputItem): string {
  if (item.type !== 'reasoning') return ''
  const parts: readonly { readonly text: string }[] = item.content ?? item.summary
  return parts.map(({ text }) => text).join('')
}
