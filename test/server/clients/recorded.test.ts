import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI from 'openai'
import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import { replyOf } from '../../../scripts/replay/recording.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { configFor } from '../../../scripts/replay/replayer.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import { createServer, type Listening, LOCAL, listen } from '../../../src/server/index.ts'
import { needsPeer } from '../../helpers/peer-scripts.ts'
import { hasShared, SHARED_IS_MISSING } from '../../helpers/recordings.ts'
import { IS_EXHAUSTIVE } from '../../hostile/answers.ts'
import { askClient, type ThreadSeen } from '../wire/ag-ui/ag-ui-clients.ts'
import { type Recorded, RecordedAnswers, recordedStreams } from '../wire/recorded-answers.ts'
import {
  askClients,
  type ClientAnswer,
  needsClients,
} from '../wire/ui-message-stream/chat-clients.ts'

/** Of so many recordings one is tried where not all are. */
const SAMPLE = 8
/** Names that a client may give its tools. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/
const VERSION = 7

/** What a client was told. */
interface Told {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly string[]
  readonly usage: readonly [input: number, output: number]
}

interface Subject {
  readonly name: string
  /** The published model that answers with the recording. */
  readonly model: string
  readonly recorded: Recorded
  readonly tools: readonly string[]
}

describe('recorded answers through provider, server and client', function () {
  this.timeout(IS_EXHAUSTIVE ? 300_000 : 60_000)
  const all = recordedStreams().filter((_, at) => IS_EXHAUSTIVE || at % SAMPLE === 0)
  const upstream = new ReplayServer()
  const subjects: Subject[] = []
  let host: Host
  let listening: Listening

  before(async () => {
    await upstream.start()
    upstream.reply = ({ path }) => replyOf(all[Number(/^\/v1\/(\d+)/.exec(path)?.[1])]!.recording)
    const recordings = await RecordedAnswers.start()
    for (const [at, subject] of all.entries()) {
      const recorded = await recordings.run(subject)
      const tools = [...new Set(recorded.calls.map(({ name }) => name))]
      // What is no call of a client's tool, the server answers: that is tried elsewhere.
      const isClients = recorded.calls.every(({ input }) => typeof input === 'object')
      if (recorded.isFailed || !isClients || !tools.every((name) => NAME.test(name))) continue
      subjects.push({ name: subject.recording.name, model: `m${at}`, recorded, tools })
    }
    await recordings.close()
    host = await createHost({
      plugins: [anthropic, openai, openaiCompatible],
      config: { provider: 'openai', limits: { max_rounds: 1 } },
    })
    const models = Object.fromEntries(
      all.map(({ place }, at) => [`m${at}`, { config: configFor(place, `${upstream.url}/${at}`) }]),
    )
    const storage = memoryStorage()
    const server = await createServer({ host, storage, models, anonymous: LOCAL })
    listening = await listen(server, { port: 0 })
  })
  after(async () => {
    await listening?.close()
    await host?.close()
    await upstream.close()
  })

  it('has the recordings of others to read', function () {
    if (hasShared) return
    this.test!.title += SHARED_IS_MISSING
    this.skip()
  })

  /** Compares what a client was told of each recording with what it says. */
  async function compare(test: Mocha.Context, told: (subject: Subject) => Promise<Told>) {
    for (const subject of subjects) {
      expect(await told(subject), subject.name).to.deep.equal(saidBy(subject.recorded))
    }
    test.test!.title += ` (${subjects.length} of ${all.length} answers)`
  }

  it("reach OpenAI's client of chat completions", async function () {
    const client = openAIClient(listening.url)
    await compare(this, async ({ model, tools }) => {
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
      const { content, tool_calls: calls = [] } = choices[0]!.message
      return {
        text: content ?? '',
        reasoning,
        calls: calls.map((call) =>
          call.type === 'function' ? shownCall(call.function.name, call.function.arguments) : '',
        ),
        usage: [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0],
      }
    })
  })

  it("reach OpenAI's client of responses", async function () {
    const client = openAIClient(listening.url)
    await compare(this, async ({ model, tools }) => {
      const stream = client.responses.stream({
        model,
        input: 'Hello',
        tools: tools.map((name) => ({
          type: 'function',
          strict: false,
          ...functionOf(name).function,
        })),
      })
      const { output, output_text: text, usage } = await stream.finalResponse()
      return {
        text,
        reasoning: output.map(thoughtIn).join(''),
        calls: output.flatMap((item) =>
          item.type === 'function_call' ? [shownCall(item.name, item.arguments)] : [],
        ),
        usage: [usage?.input_tokens ?? 0, usage?.output_tokens ?? 0],
      }
    })
  })

  it("reach Anthropic's client", async function () {
    const client = new Anthropic({ baseURL: listening.url, apiKey: 'any', maxRetries: 0 })
    await compare(this, async ({ model, tools }) => {
      const stream = client.messages.stream({
        model,
        max_tokens: 1000,
        messages: [{ role: 'user', content: 'Hello' }],
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

  it('reach the client of AG-UI', async function () {
    needsPeer(this, '@ag-ui/client')
    const threads: ReadonlyMap<string, ThreadSeen> = await askClient(
      subjects.map(({ model, tools }) => {
        const own = tools.map((name) => ({ ...functionOf(name).function }))
        const add = [{ id: 'u1', role: 'user', content: 'Hello' }]
        const run = { add, tools: own, forwardedProps: { agent: model } }
        return { name: model, url: `${listening.url}/ag-ui`, threadId: `ag-${model}`, runs: [run] }
      }),
    )
    await compare(this, async ({ model, tools }) => {
      const { messages, outcomes, errors, faults } = threads.get(model)!
      expect({ errors, faults }).to.deep.equal({ errors: [], faults: [] })
      const textsOf = (role: string) =>
        messages.map((one) => (one.role === role ? (one.content ?? '') : '')).join('')
      const [usage] = outcomes.flatMap(({ usage: of }) => of as { [count: string]: number }[])
      return {
        text: textsOf('assistant'),
        reasoning: textsOf('reasoning'),
        calls: messages
          .flatMap(({ toolCalls = [] }) => toolCalls.map(({ function: called }) => called))
          .filter(({ name }) => tools.includes(name))
          .map(({ name, arguments: given }) => shownCall(name, given)),
        usage: [usage?.['inputTokens'] ?? 0, usage?.['outputTokens'] ?? 0],
      }
    })
  })

  it('reach a chat of the AI SDK', async function () {
    needsClients(this)
    const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
    const chats: ReadonlyMap<string, ClientAnswer> = await askClients(
      subjects.map(({ model, tools }) => {
        const own = tools.map((name) => [name, { parameters: { type: 'object' } }])
        const body = { agent: model, tools: Object.fromEntries(own) as object }
        const url = `${listening.url}/api/chat?sdk=${VERSION}`
        const job = { kind: 'read', version: VERSION, id: `ui-${model}` } as const
        return { ...job, name: model, url, messages, body }
      }),
    )
    await compare(this, async ({ model }) => {
      const { message, thrown, errors, faults } = chats.get(model)!
      expect({ thrown, errors, faults }).to.deep.equal({
        thrown: undefined,
        errors: [],
        faults: [],
      })
      const { parts, metadata } = message!
      const textsOf = (kind: string) =>
        parts.map(({ type, text }) => (type === kind ? String(text) : '')).join('')
      const usage = metadata?.['usage'] as { readonly input?: number; readonly output?: number }
      return {
        text: textsOf('text'),
        reasoning: textsOf('reasoning'),
        calls: parts.flatMap(({ type, input }) =>
          type.startsWith('tool-') ? [shownCall(type.slice(5), JSON.stringify(input))] : [],
        ),
        usage: [usage.input ?? 0, usage.output ?? 0],
      }
    })
  })
})

function openAIClient(url: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
}

function thoughtIn(item: OpenAI.Responses.ResponseOutputItem): string {
  if (item.type !== 'reasoning') return ''
  const parts: readonly { readonly text: string }[] = item.content ?? item.summary
  return parts.map(({ text }) => text).join('')
}

function functionOf(name: string) {
  const parameters = { type: 'object', properties: {} }
  return { type: 'function' as const, function: { name, description: name, parameters } }
}

function shownCall(name: string, given: string): string {
  return `${name} ${JSON.stringify(JSON.parse(given))}`
}

function saidBy({ text, reasoning, calls, usage }: Recorded): Told {
  return {
    text,
    reasoning,
    calls: calls.map(({ name, input }) => shownCall(name, JSON.stringify(input))),
    usage: [usage.input ?? 0, usage.output ?? 0],
  }
}
