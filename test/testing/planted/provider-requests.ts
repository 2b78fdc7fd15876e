import type { Context, State } from '../../../src/plugin/index.ts'
import type { PROVIDER, WordsRequest } from './correct-provider.ts'
import type { Planted } from './planted.ts'

type Correct = typeof PROVIDER

/** Changes the request before it is sent. */
const withRequest = (change: (native: WordsRequest) => object) => (correct: Correct) => ({
  ...correct,
  initializeRequest: (native: WordsRequest, state: State) => [change(native), state],
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
const kept: { tools: readonly object[] } = { tools: [] }

/** Providers with one bug each in what they say of models, and in their requests. */
export const PROVIDER_REQUESTS: readonly Planted<Correct>[] = [
  {
    bug: 'a request changed while it streams',
    caught: ['leaves the arguments of stream as they are'],
    plant: (correct) => ({
      ...correct,
      async *stream(native: WordsRequest, state: State, context: Context) {
        yield* correct.stream(Object.assign(native, { stream: true }), state, context)
      },
    }),
  },
  {
    bug: 'messages of the request changed by a generator that does not wait',
    caught: ['leaves the arguments of stream as they are'],
    plant: (correct) => ({
      ...correct,
      *stream({ messages }: { readonly messages: object[] }) {
        messages.push({})
        yield { text: 'Hi' }
      },
    }),
  },
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
]
