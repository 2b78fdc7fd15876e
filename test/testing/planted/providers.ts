import type { Message } from '../../../src/plugin/events/index.ts'
import type { Context, State } from '../../../src/plugin/index.ts'
import {
  eventsOf,
  gather,
  guarded,
  linesOf,
  messageOf,
  type PROVIDER,
  post,
  type Words,
  type WordsRequest,
} from './correct-provider.ts'
import type { Planted } from './planted.ts'

type Correct = typeof PROVIDER

/** Changes the request before it is sent. */
const withRequest = (change: (native: WordsRequest) => object) => (correct: Correct) => ({
  ...correct,
  initializeRequest: (native: WordsRequest, state: State) => [change(native), state],
})

/** Changes what becomes of the words of an answer. */
const withWords = (change: (words: Words) => Message) => (correct: Correct) => ({
  ...correct,
  fromNative: (natives: readonly unknown[]) => natives.map((native) => change(native as Words)),
})

/** Leaves parts of some type out of all messages. */
const without = (type: string) =>
  withRequest(({ messages, ...native }) => ({
    ...native,
    messages: messages.map((message) => ({
      ...message,
      parts: message.parts.filter((part) => part.type !== type),
    })),
  }))

const SEND_NAMES = [
  'sends the names of tools for a whole answer',
  'sends the names of tools with a stream',
]

let asked = 0
const kept: { gathered: string; tools: readonly object[] } = { gathered: '', tools: [] }

/** Providers with one bug each. */
export const PROVIDERS: readonly Planted<Correct>[] = [
  {
    bug: 'models that change',
    caught: [
      'gives the same models each time it is asked',
      'has the same form each time it is shown',
    ],
    plant: (correct) => ({ ...correct, getModels: () => ['words-1', `words-${asked++}`] }),
  },
  {
    bug: 'a model that cannot be used',
    caught: ['resolves with each of its models'],
    plant: (correct) => ({
      ...correct,
      getTags: ({ model }: { readonly model?: string }) => {
        if (model === 'words-2') throw new Error('unknown')
        return correct.getTags()
      },
    }),
  },
  {
    bug: 'impossible facts about a model',
    caught: ['describes its models with possible facts'],
    plant: (correct) => ({ ...correct, getModelInfo: () => ({ contextWindow: -1 }) }),
  },
  {
    bug: 'no tools in the request',
    caught: [
      ...SEND_NAMES,
      'sends the descriptions of tools with a stream',
      'sends the schemas of tools with a stream',
    ],
    plant: withRequest((native) => ({ ...native, tools: [] })),
  },
  {
    bug: 'tools without their schemas',
    caught: ['sends the schemas of tools with a stream'],
    plant: withRequest((native) => ({
      ...native,
      tools: native.tools.map((tool) => ({ ...tool, input_schema: {} })),
    })),
  },
  {
    bug: 'tools of an earlier request',
    caught: ['sends no tools where none are offered'],
    plant: withRequest((native) => {
      if (native.tools.length > 0) kept.tools = native.tools
      return { ...native, tools: kept.tools }
    }),
  },
  {
    bug: 'no model in the request',
    caught: ['sends the model of the config'],
    plant: withRequest(({ model: _, ...native }) => native),
  },
  {
    bug: 'no images in the request',
    caught: ['sends images'],
    plant: without('file'),
  },
  {
    bug: 'no results of tools in the request',
    caught: ['sends the results of tools', 'sends the failures of tools'],
    plant: without('tool-result'),
  },
  {
    bug: 'no calls in the request',
    caught: ['sends the arguments of earlier tool calls'],
    plant: without('tool-call'),
  },
  {
    bug: 'only the last messages in the request',
    caught: ['sends all turns of a chat'],
    plant: withRequest((native) => ({ ...native, messages: native.messages.slice(-5) })),
  },
  {
    bug: 'no system message in the request',
    caught: ['sends the system message'],
    plant: withRequest((native) => ({
      ...native,
      messages: native.messages.filter(({ role }) => role !== 'system'),
    })),
  },
  {
    bug: 'metadata that does not come back',
    caught: ['sends its own metadata back as it was'],
    plant: without('reasoning'),
  },
  {
    bug: 'no finish reason',
    caught: ['says why a whole answer ended', 'says why a stream ended'],
    plant: withWords((words) => {
      const { metadata, ...message } = messageOf(words)
      const { finishReason: _, ...others } = metadata ?? {}
      return { ...message, metadata: others }
    }),
  },
  {
    bug: 'no usage',
    caught: ['tells the tokens of a whole answer', 'tells the tokens of a stream'],
    plant: withWords(({ usage: _, ...words }) => messageOf(words)),
  },
  {
    bug: 'reasoning that is only streamed',
    caught: ['streams the reasoning of its messages'],
    plant: withWords(({ thought: _, ...words }) => messageOf(words)),
  },
  {
    bug: 'another text in a whole answer',
    caught: ['ends a whole answer and a stream in the same messages'],
    plant: (correct) => ({
      ...correct,
      call: async (native: WordsRequest, state: State, context: Context) => {
        const [partials, finals, ...rest] = await correct.call(native, state, context)
        const trimmed = finals.map((words) => {
          const { text = '' } = words as Words
          return { ...(words as Words), text: text.replaceAll(' ', '') }
        })
        return [partials, trimmed, ...rest]
      },
    }),
  },
  {
    bug: 'text gathered in the module',
    caught: [
      'answers the same request twice with the same messages',
      'reads a stream that arrives byte by byte',
      'reads a stream that arrives 7 bytes at a time',
      'reads a stream that arrives 100 bytes at a time',
      'keeps 20 streams at once apart',
      'answers as before after 20 other requests',
    ],
    plant: (correct) => ({
      ...correct,
      processChunk: (chunk: Words, native: WordsRequest, state: State, context: Context) => {
        const all = gather(context, chunk)
        kept.gathered += chunk.text ?? ''
        const finals = chunk.end === undefined ? [] : [{ ...all, text: kept.gathered }]
        return [eventsOf(chunk), finals, native, state]
      },
    }),
  },
  {
    bug: 'bytes decoded one piece at a time',
    caught: ['reads a stream that arrives byte by byte'],
    plant: (correct) => ({
      ...correct,
      stream: async function* (native: WordsRequest, _state: State, context: Context) {
        const careless = {
          decode: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
        }
        const response = await post(native, true, context)
        yield* guarded(linesOf(response, careless), context.signal)
      },
    }),
  },
  {
    bug: 'errors without a code',
    caught: [
      'tells of a refused key with PROVIDER_UNAUTHORIZED',
      'tells of too many requests with RATE_LIMITED',
      'tells of a refused request with INVALID_REQUEST',
      'tells of a failing server with PROVIDER_FAILED',
      'tells of an overloaded server with OVERLOADED',
    ],
    plant: (correct) => ({
      ...correct,
      call: (native: WordsRequest, state: State, context: Context) =>
        correct.call(native, state, context).catch(withoutCode),
      stream: async function* (native: WordsRequest, state: State, context: Context) {
        try {
          yield* correct.stream(native, state, context)
        } catch (error) {
          withoutCode(error)
        }
      },
    }),
  },
  {
    bug: 'a stream that ends too early and is taken for whole',
    caught: [
      'tells of a stream that breaks off',
      'tells of a stream that ends too early',
      'tells of a stream without anything in it',
    ],
    plant: (correct) => ({
      ...correct,
      stream: async function* (native: WordsRequest, _state: State, context: Context) {
        yield* linesOf(await post(native, true, context))
      },
    }),
  },
  {
    bug: 'a request that a cancellation does not reach',
    caught: [
      'ends a stream that is cancelled while it waits',
      'ends a whole answer that is cancelled',
      'closes its stream when the reader leaves',
    ],
    plant: (correct) => ({
      ...correct,
      call: (native: WordsRequest, state: State, context: Context) =>
        correct.call(native, state, { ...context, signal: NEVER }),
      stream: (native: WordsRequest, state: State, context: Context) =>
        correct.stream(native, state, { ...context, signal: NEVER }),
    }),
  },
]

const NEVER = new AbortController().signal

function withoutCode(error: unknown): never {
  if (String(error).includes('status')) throw new Error(`It failed: ${String(error)}`)
  throw error
}
