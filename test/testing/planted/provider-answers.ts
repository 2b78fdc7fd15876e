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

/** Changes what becomes of the words of an answer. */
const withWords = (change: (words: Words) => Message) => (correct: Correct) => ({
  ...correct,
  fromNative: (natives: readonly unknown[]) => natives.map((native) => change(native as Words)),
})

const kept = { gathered: '' }

/** Providers with one bug each in what they make of answers. */
export const PROVIDER_ANSWERS: readonly Planted<Correct>[] = [
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
    // The answer of a request that is cancelled at once ends in time by itself, unless the machine is busy.
    perhaps: ['ends a stream that is cancelled at once'],
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
