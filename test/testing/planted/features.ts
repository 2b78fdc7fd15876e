import type { Message, PartialEvent } from '../../../src/plugin/events/index.ts'
import type { Context, Feature, State } from '../../../src/plugin/index.ts'
import type { Planted } from './planted.ts'

const NOTE: Message = { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }

/** A correct feature with hooks of requests, calls and runs. */
export const FEATURE = {
  kind: 'feature',
  name: 'brief',
  sections: { brief: { type: 'object', properties: { words: { type: 'integer' } } } },
  stateKeys: { answers: { merge: 'sum', initial: 0 } },
  actions: ['shorten'],
  effects: ['tell'],
  getTags: () => ['brief'],
  init: (_config, state) => ({ ...state, brief: true }),
  editMessages: (messages) => [NOTE, ...messages],
  toNative: (_messages, native) => native,
  initializeRequest: (native, state) => [native, state],
  finalize: (finals, native, state) => [finals, native, state],
  fromNative: (_natives, core) => core,
  toolGate: () => undefined,
  editToolCall: ({ input }) => ({ input: { ...(input as object) }, reason: 'copied' }),
  editToolResult: (_call, { output }) => ({ output, reason: 'kept' }),
  stepEnd: () => ({ state: { answers: 1 } }),
  handleAction: () => undefined,
  handleEffect: () => undefined,
} as const satisfies Feature

type Correct = typeof FEATURE
type Core = readonly (Message | PartialEvent)[]

const withMembers = (members: object) => (correct: Correct) => ({ ...correct, ...members })
const count = { runs: 0 }

/** Features with one bug each. */
export const FEATURES: readonly Planted<Correct>[] = [
  {
    bug: 'a hook of a run that throws',
    caught: ['takes part in a run of an agent'],
    plant: withMembers({
      afterToolExecute: () => {
        throw new Error('broken')
      },
    }),
  },
  {
    bug: 'a hook that throws when a run has ended',
    caught: ['takes part in a run of an agent'],
    plant: withMembers({ onDeactivate: () => Promise.reject(new Error('broken')) }),
  },
  {
    bug: 'an effect that fails',
    caught: ['takes part in a run of an agent'],
    plant: withMembers({
      stepEnd: () => ({ effects: [{ key: 'tell' }] }),
      handleEffect: () => Promise.reject(new Error('broken')),
    }),
  },
  {
    bug: 'a state key of a run that nobody has',
    caught: ['takes part in a run of an agent'],
    plant: withMembers({ runStart: () => ({ state: { others: 1 } }) }),
  },
  {
    bug: 'a state of a run that is no JSON',
    caught: ['takes part in a run of an agent'],
    plant: withMembers({ runStart: () => ({ state: { answers: Number.NaN } }) }),
  },
  {
    bug: 'the state of a run changed in place',
    caught: ['leaves the arguments of the hooks of a run as they are'],
    plant: withMembers({
      beforeInference: ({ state }: { readonly state: object }) => {
        Object.assign(state, { answers: 2 })
      },
    }),
  },
  {
    bug: 'a section whose schema does not compile',
    caught: ['claims sections whose schemas compile'],
    plant: withMembers({ sections: { brief: { type: 'number?' } } }),
  },
  {
    bug: 'a state key that cannot be merged',
    caught: ['has state keys that can be merged', 'takes part in a run of an agent'],
    plant: withMembers({ stateKeys: { answers: { merge: 'append', initial: 0 } } }),
  },
  {
    bug: 'actions without a handler',
    caught: ['can handle the actions that it has'],
    plant: withMembers({ handleAction: undefined }),
  },
  {
    bug: 'effects without a handler',
    caught: ['can handle the effects that it has'],
    plant: withMembers({ handleEffect: undefined }),
  },
  {
    bug: 'a verdict that does not exist',
    caught: ['judges calls with a verdict that exists'],
    plant: withMembers({ toolGate: () => ({ deny: 'no' }) }),
  },
  {
    bug: 'an edit of a call without a reason',
    caught: ['edits calls with arguments and a reason'],
    plant: withMembers({ editToolCall: ({ input }: { readonly input: object }) => ({ input }) }),
  },
  {
    bug: 'a gate that changes its call',
    caught: ['leaves the arguments of toolGate as they are'],
    plant: withMembers({
      toolGate: ({ input }: { readonly input: object }) => {
        Object.assign(input, { seen: true })
      },
    }),
  },
  {
    bug: 'a message that is added only the first time',
    caught: ['prepares the same request each time'],
    plant: withMembers({
      editMessages: (messages: readonly Message[]) => [
        { ...NOTE, parts: [{ type: 'text', text: `Run ${count.runs++}` }] },
        ...messages,
      ],
    }),
  },
  {
    bug: 'the history replaced by its last message',
    caught: [
      'keeps tool calls in a history',
      'keeps failures of calls in a history',
      'keeps metadata of other providers in a history',
      'keeps the system message in a history',
      'keeps all turns in a history',
    ],
    plant: withMembers({ editMessages: (messages: readonly Message[]) => messages.slice(-1) }),
  },
  {
    bug: 'the state of others lost in initializeRequest',
    caught: ['keeps the state of others in initializeRequest'],
    plant: withMembers({ initializeRequest: (native: unknown) => [native, { brief: true }] }),
  },
  {
    bug: 'the state of others lost in finalize',
    caught: ['keeps the state of others in finalize'],
    plant: withMembers({
      finalize: (finals: unknown, native: unknown) => [finals, native, { brief: true }],
    }),
  },
  {
    bug: 'sources that are left out of messages',
    caught: ['keeps the sources of an answer'],
    plant: withMembers({
      fromNative: (_natives: unknown, core: Core) =>
        core
          .map((item) =>
            'type' in item
              ? item
              : { ...item, parts: item.parts.filter(({ type }) => type !== 'source') },
          )
          .filter((item) => !('type' in item && item.type === 'source')),
    }),
  },
  {
    bug: 'files that are streamed and not kept',
    caught: ['streams the files and sources of its messages', 'keeps the files of an answer'],
    plant: withMembers({
      fromNative: (_natives: unknown, core: Core) =>
        core.map((item) =>
          'type' in item
            ? item
            : { ...item, parts: item.parts.filter(({ type }) => type !== 'file') },
        ),
    }),
  },
  {
    bug: 'an error in the log',
    caught: ['logs no error'],
    plant: withMembers({
      finalize: (finals: unknown, native: unknown, state: State, { log }: Context) => {
        log({ level: 'error', message: 'something is wrong' })
        return [finals, native, state]
      },
    }),
  },
]
