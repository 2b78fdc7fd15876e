import type { Message, PartialEvent } from '../../../src/plugin/events/index.ts'
import type { Context, State } from '../../../src/plugin/index.ts'
import { type EXTENSION, isEvent, loudEvent, loudMessage } from './correct-extension.ts'
import type { Planted } from './planted.ts'

type Correct = typeof EXTENSION
type Core = readonly (Message | PartialEvent)[]

const withMessages = (change: (message: Message) => Message) => (correct: Correct) => ({
  ...correct,
  fromNative: (_natives: unknown, core: Core) =>
    core.map((item) => (isEvent(item) ? loudEvent(item) : change(loudMessage(item)))),
})

const withParts = (change: (part: Message['parts'][number]) => object | undefined) =>
  withMessages((message) => ({
    ...message,
    parts: message.parts.flatMap((part) => (change(part) as typeof part | undefined) ?? []),
  }))

const held: string[] = []

/** Extensions with one bug each in their hooks of a request. */
export const EXTENSION_HOOKS: readonly Planted<Correct>[] = [
  {
    bug: 'messages changed in place',
    caught: ['leaves the arguments of editMessages as they are'],
    plant: (correct) => ({
      ...correct,
      editMessages: (messages: Message[]) => {
        messages.push({ role: 'user', parts: [{ type: 'text', text: 'Be quick.' }] })
        return messages
      },
    }),
  },
  {
    bug: 'a final changed deep inside',
    caught: ['leaves the arguments of finalize as they are'],
    plant: (correct) => ({
      ...correct,
      finalize: (finals: readonly Message[], native: unknown, state: State) => {
        for (const { parts } of finals)
          for (const part of parts) Object.assign(part, { seen: true })
        return [finals, native, state]
      },
    }),
  },
  {
    bug: 'a state changed in place',
    caught: ['leaves the arguments of init as they are'],
    plant: (correct) => ({
      ...correct,
      init: (_config: unknown, state: object) => Object.assign(state, { loud: true }),
    }),
  },
  {
    bug: 'events that change and messages that do not',
    caught: ['streams the text of its messages'],
    plant: (correct) => ({
      ...correct,
      fromNative: (_natives: unknown, core: Core) =>
        core.map((item) => (isEvent(item) ? loudEvent(item) : item)),
    }),
  },
  {
    bug: 'finals that only a stream changes',
    caught: ['ends a whole answer and a stream in the same messages'],
    plant: (correct) => ({
      ...correct,
      processChunk: (
        _: unknown,
        partials: unknown,
        finals: unknown,
        native: unknown,
        state: State,
      ) => [partials, finals, native, { ...state, streamed: true }],
      finalize: (finals: readonly Message[], native: unknown, state: State) => [
        finals.map((message) => ({
          ...message,
          metadata: { ...message.metadata, streamed: state['streamed'] === true },
        })),
        native,
        state,
      ],
    }),
  },
  {
    bug: 'reasoning that is left out of messages',
    caught: [
      'streams the reasoning of its messages',
      'keeps the metadata of a provider byte for byte',
    ],
    plant: withParts((part) => (part.type === 'reasoning' ? undefined : part)),
  },
  {
    bug: 'other call ids in messages',
    caught: [
      'streams the tool calls of its messages, with their ids',
      'keeps the ids of tool calls',
    ],
    plant: withParts((part) =>
      part.type === 'tool-call' ? { ...part, callId: `own-${part.callId}` } : part,
    ),
  },
  {
    bug: 'parts in another order',
    caught: ['streams parts in the order of its messages'],
    plant: withMessages((message) => ({
      ...message,
      parts: message.parts.toSorted(
        (a, b) => Number(b.type === 'tool-call') - Number(a.type === 'tool-call'),
      ),
    })),
  },
  {
    bug: 'metadata of parts that is lost',
    caught: ['keeps the metadata of a provider byte for byte'],
    plant: withParts(({ providerMetadata: _, ...part }) => part),
  },
  {
    bug: 'usage that is lost',
    caught: ['keeps the usage of an answer'],
    plant: withMessages(({ metadata = {}, ...message }) => {
      const { usage: _, ...others } = metadata
      return { ...message, metadata: others }
    }),
  },
  {
    bug: 'the state of others lost in init',
    caught: ['keeps the state of others in init'],
    plant: (correct) => ({ ...correct, init: () => ({ loud: true }) }),
  },
  {
    bug: 'the state of others lost in processChunk',
    caught: ['keeps the state of others in processChunk'],
    plant: (correct) => ({
      ...correct,
      processChunk: (_: unknown, partials: unknown, finals: unknown, native: unknown) => [
        partials,
        finals,
        native,
        { loud: true },
      ],
    }),
  },
  {
    bug: 'a state that is no JSON',
    caught: ['keeps a state that is JSON'],
    plant: (correct) => ({
      ...correct,
      init: (_config: unknown, state: object) => ({ ...state, seen: new Map() }),
    }),
  },
  {
    bug: 'words that are only found whole in a piece',
    caught: ['streams the same text wherever it is split', 'streams the same text in small pieces'],
    plant: (correct) => ({
      ...correct,
      fromNative: (_natives: unknown, core: Core) =>
        core.map((item) => {
          if (!isEvent(item)) return withoutTea(item)
          return item.type === 'text-delta'
            ? { ...item, delta: item.delta.replaceAll('Tea', '***') }
            : item
        }),
    }),
  },
  {
    bug: 'a value of a request that is kept in the module',
    caught: ['keeps 20 whole answers at once apart', 'keeps 20 streams at once apart'],
    plant: (correct) => ({
      ...correct,
      init: (_config: unknown, state: object, { requestId }: Context) => {
        held[0] = requestId
        return { ...state, requestId }
      },
      finalize: (finals: readonly Message[], native: unknown, state: State) => [
        finals.map((message) => ({
          ...message,
          metadata: { ...message.metadata, isOwn: held[0] === state['requestId'] },
        })),
        native,
        state,
      ],
    }),
  },
  {
    bug: 'images left out of the history',
    caught: ['keeps images in a history'],
    plant: (correct) => ({
      ...correct,
      editMessages: (messages: readonly Message[]) =>
        messages.map((message) => ({
          ...message,
          parts: message.parts.filter(({ type }) => type !== 'file'),
        })),
    }),
  },
  {
    bug: 'results left out of the history',
    caught: [
      'keeps calls together with their results in a history',
      'keeps failures of calls in a history',
    ],
    plant: (correct) => ({
      ...correct,
      editMessages: (messages: readonly Message[]) =>
        messages.filter(({ role }) => role !== 'tool'),
    }),
  },
  {
    bug: 'a wait that a cancelled request does not end',
    caught: [
      'ends a stream that is cancelled at once',
      'answers again after a cancelled request',
    ].slice(0, 1),
    plant: (correct) => ({
      ...correct,
      editMessages: async (messages: unknown, _state: unknown, { signal }: Context) => {
        await new Promise((resolve) => setTimeout(resolve, 10))
        return signal.aborted ? new Promise(() => undefined) : messages
      },
    }),
  },
  {
    bug: 'an error while it closes',
    caught: ['closes without an error'],
    plant: (correct) => ({
      ...correct,
      close: () => {
        throw new Error('the socket is lost')
      },
    }),
  },
]

function withoutTea(message: Message): Message {
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'text' ? { ...part, text: part.text.replaceAll('Tea', '***') } : part,
    ),
  }
}
