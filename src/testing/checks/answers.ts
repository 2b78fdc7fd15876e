import { findJsonFault, type Message, type Part } from '@braidwork/plugin'
import { type Asked, type Harness, messagesOf } from '../harness/index.ts'
import { type Check, done, fault, isChange, same, shown, unjudged } from './check.ts'

const ABOUT = 'hooks.md#fromnative'

const answers = (mode: 'send' | 'stream'): Check => ({
  name: mode === 'send' ? 'takes part in a whole answer' : 'takes part in a stream',
  about: mode === 'send' ? 'hooks.md#call' : 'hooks.md#stream',
  async run(harness) {
    const { status, error, calls } = await harness.ask(mode)
    // The checks of the hooks' arguments report a change that was seen in a hook, and only that.
    if (status === 'done' || calls.some((call) => isChange(call.error))) return
    fault(`The request ${status} with ${error?.code}: ${error?.message}`)
  },
})

const alike: Check = {
  name: 'ends a whole answer and a stream in the same messages',
  about: ABOUT,
  async run(harness) {
    const sent = done(await harness.ask('send'))
    const streamed = done(await harness.ask('stream'))
    same(
      streamed.messages,
      sent.messages,
      'A stream ends in other messages than a whole answer. Change finals in the same way as events.',
    )
  },
}

const again: Check = {
  name: 'answers the same request twice with the same messages',
  about: ABOUT,
  async run(harness) {
    const { messages } = done(await harness.ask('stream'))
    const { messages: second } = done(await harness.again('stream'))
    same(second, messages, 'The second answer differs. Keep nothing of a request for the next one.')
  },
}

const isAnswer: Check = {
  name: 'ends in messages of the assistant',
  about: ABOUT,
  async run(harness) {
    const { messages } = done(await harness.ask('stream'))
    if (messages.length === 0) fault('The answer has no message.')
    const other = messages.find(({ role }) => role !== 'assistant' && role !== 'tool')
    if (other) fault(`The answer has a message with the role "${other.role}".`)
  },
}

const isJson: Check = {
  name: 'ends in messages that are JSON',
  about: ABOUT,
  async run(harness) {
    const { messages } = done(await harness.ask('stream'))
    const found = findJsonFault(messages)
    if (found) fault(`The messages cannot be stored: ${found.pointer} ${found.reason}`)
  },
}

/** The state and the native request in the answers of hooks are JSON, so that they reach plugins in any language. */
const jsonState: Check = {
  name: 'keeps a state that is JSON',
  about: 'hooks.md#init',
  async run(harness) {
    const { calls } = await harness.ask('stream')
    for (const { hook, answer } of calls) {
      const state = stateIn(hook, answer)
      const found = state === undefined ? undefined : findJsonFault(state)
      if (found)
        fault(`The state of "${hook}" at "${found.pointer}": ${found.reason}. Use "context.local".`)
    }
  },
}

/** The state in the answer of a hook. */
export function stateIn(hook: string, answer: unknown): object | undefined {
  const places: { readonly [hook: string]: number } = {
    initializeRequest: 1,
    call: 3,
    processChunk: 3,
    finalize: 2,
  }
  const at = places[hook]
  const state = hook === 'init' ? answer : at !== undefined && Array.isArray(answer) && answer[at]
  return typeof state === 'object' && state !== null ? state : undefined
}

type Taken = (part: Part) => unknown

const isOf =
  (...types: readonly string[]): Taken =>
  (part) =>
    types.includes(part.type) ? part : undefined

/** Compares one side of what was streamed with the messages. */
function streams(name: string, scene: string, take: Taken): Check {
  return {
    name: `streams ${name}`,
    about: ABOUT,
    async run(harness) {
      const asked = done(await harness.ask('stream', isScripted(harness) ? { answer: scene } : {}))
      const streamed = partsIn(messagesOf(asked.events)).map(take).filter(isThere)
      const whole = partsIn(asked.messages).map(take).filter(isThere)
      same(
        streamed,
        whole,
        'What is streamed differs from the messages. "fromNative" receives events and messages: change both.',
      )
    },
  }
}

const isThere = (value: unknown): boolean => value !== undefined

function partsIn(messages: readonly Message[]): readonly Part[] {
  return messages.flatMap(({ parts }) => parts)
}

/** The text of all text parts as one, since a part may be streamed in two. */
function streamsText(type: 'text' | 'reasoning'): Check {
  const textIn = (messages: readonly Message[]) =>
    partsIn(messages)
      .map((part) => (part.type === type ? part.text : ''))
      .join('')
  return {
    name: `streams the ${type} of its messages`,
    about: ABOUT,
    async run(harness) {
      const asked = done(await harness.ask('stream'))
      same(
        textIn(messagesOf(asked.events)),
        textIn(asked.messages),
        `The streamed ${type} differs from the ${type} in the messages. Apply a change to both: "fromNative" receives events and messages.`,
      )
    },
  }
}

const order: Check = {
  name: 'streams parts in the order of its messages',
  about: ABOUT,
  async run(harness) {
    const asked = done(await harness.ask('stream', isScripted(harness) ? { answer: 'mixed' } : {}))
    const kinds = (messages: readonly Message[]) => partsIn(messages).map(({ type }) => type)
    const [streamed, whole] = [kinds(messagesOf(asked.events)), kinds(asked.messages)]
    // Parts that are missing are the fault of another check.
    if ([...streamed].sort().join() !== [...whole].sort().join()) return
    same(streamed, whole, 'The parts of the stream have another order than those of the messages.')
  },
}

const metadata: Check = {
  name: 'tells usage and finish reason of a stream as of a whole answer',
  about: 'testing.md#usage',
  async run(harness) {
    const sent = done(await harness.ask('send'))
    const streamed = done(await harness.ask('stream'))
    const of = ({ usage, finishReason }: Asked) => ({ usage, finishReason })
    same(of(streamed), of(sent), 'A stream tells other usage or another finish reason.')
  },
}

/** @throws {NotJudged} if another provider than that of the suite answers */
export function needsScript(harness: Harness): void {
  if (!isScripted(harness)) unjudged('another provider is beside the plugin')
}

/** Whether the answers come from the provider of the suite. */
export function isScripted({ trial, options }: Harness): boolean {
  return trial.plugin.kind !== 'provider' && (options.beside ?? []).every((one) => !isProvider(one))
}

function isProvider(one: unknown): boolean {
  return typeof one !== 'object' || (one as { readonly kind?: unknown }).kind === 'provider'
}

const TAKEN = [
  ['calls', 'tool calls'],
  ['owned', 'metadata of its provider'],
  ['empty', 'nothing in it'],
  ['reasoning', 'only reasoning'],
  ['two texts', 'two texts'],
  ['mixed', 'a call between two texts'],
  ['file', 'a file'],
] as const

/** Answers that an extension or feature meets sooner or later. */
const takes = TAKEN.map(
  ([answer, what]): Check => ({
    name: `takes an answer with ${what}`,
    about: ABOUT,
    async run(harness) {
      needsScript(harness)
      const plain = [await harness.ask('send'), await harness.ask('stream')].map(done)
      const ends = [await harness.ask('send', { answer }), await harness.ask('stream', { answer })]
      const failed = ends.find(({ status }) => status !== 'done')
      if (failed) fault(`The request ${failed.status} with ${failed.error?.message}`)
      if (shown(plain[0]?.messages) !== shown(plain[1]?.messages)) return
      same(ends[1]?.messages, ends[0]?.messages, 'A stream ends in other messages.')
    },
  }),
)

const STREAMED = [
  answers('send'),
  answers('stream'),
  alike,
  again,
  isAnswer,
  isJson,
  jsonState,
  streamsText('text'),
  streamsText('reasoning'),
  streams('the tool calls of its messages, with their ids', 'calls', isOf('tool-call')),
  streams('the files and sources of its messages', 'file', isOf('file', 'source', 'data')),
  order,
  metadata,
]

export const ANSWERS_OF_PROVIDERS: readonly Check[] = STREAMED
export const ANSWERS_OF_OTHERS: readonly Check[] = [...STREAMED, ...takes]
export const ANSWERS_OF_TOOLS: readonly Check[] = [answers('send'), answers('stream'), alike, again]
