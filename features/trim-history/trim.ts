import { setImmediate } from 'node:timers/promises'
import type { Message } from '@braidwork/plugin'
import { fit, sumOf } from './fit.ts'
import { asPart } from './leave-out.ts'
import { type Room, shown } from './room.ts'
import { isLong, shortenResults } from './shorten-results.ts'
import { type Sizing, sizeOfJson, sizeOfMessage } from './sizes.ts'
import type { Measure } from './tokenizer.ts'

/** The limits that messages must fit. */
export interface Task {
  readonly room: Room
  /** The maximum number of tokens in a tool result. */
  readonly longestResult: number
  /** The note for the model in place of removed messages. */
  readonly note: string
  readonly provider: string | undefined
  /** Schemas that are sent in addition to the messages. */
  readonly schemas: readonly unknown[]
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
  /** Loads the tokenizer. Called only if the messages may be too long. */
  readonly load: () => Promise<Measure>
}

/** An upper bound: a text never has more tokens than bytes. */
const bytesOf: Measure = (text) => Buffer.byteLength(text)

/**
 * Shortens messages until they fit. Returns the same array if nothing has to change.
 * @throws CONTEXT_OVERFLOW if even the newest messages do not fit
 */
export async function trim(messages: readonly Message[], task: Task): Promise<readonly Message[]> {
  const { provider, longestResult, note, room, signal } = task
  if (fitsSurely(messages, { provider, measure: bytesOf }, task)) return messages
  const measure = await task.load()
  const short = shortenResults(messages, longestResult, { provider, measure })
  const sizes = await sizesOf(short, { provider, measure }, signal)
  const fitting = fit({
    messages: short,
    sizes,
    beside: sizeBeside(task, measure),
    room,
    note: { text: note, tokens: sizeOfNote(note, measure) },
  })
  warnOf({ before: messages, short, fitting }, task)
  return fitting
}

function fitsSurely(messages: readonly Message[], bounds: Sizing, task: Task): boolean {
  const { longestResult, room } = task
  const isAnyLong = messages.some(({ parts }) =>
    parts.some((part) => isLong(part, longestResult, bounds)),
  )
  if (isAnyLong) return false
  const sizes = messages.map((message) => sizeOfMessage(message, bounds))
  return sumOf(sizes) + sizeBeside(task, bounds.measure) <= room.tokens
}

/** The number of messages counted before yielding to the event loop. */
const AT_ONCE = 32

async function sizesOf(
  messages: readonly Message[],
  sizing: Sizing,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const sizes: number[] = []
  for (const [at, message] of messages.entries()) {
    sizes.push(sizeOfMessage(message, sizing))
    if (at % AT_ONCE < AT_ONCE - 1) continue
    await setImmediate()
    signal.throwIfAborted()
  }
  return sizes
}

/** An upper bound for the note, whose place is not known yet. */
function sizeOfNote(note: string, measure: Measure): number {
  return Math.max(measure(asPart.before(note).text), measure(asPart.behind(note).text))
}

/** Estimated tokens that begin the answer. */
const OPENING = 3

function sizeBeside({ schemas }: Task, measure: Measure): number {
  return OPENING + sumOf(schemas.map((schema) => sizeOfJson(schema, measure)))
}

interface Steps {
  readonly before: readonly Message[]
  readonly short: readonly Message[]
  readonly fitting: readonly Message[]
}

function warnOf({ before, short, fitting }: Steps, { longestResult, room, warn }: Task): void {
  const shortened = short.filter((message, at) => message !== before[at]).length
  if (shortened > 0)
    warn(
      `Messages whose tool results were shortened to ${shown(longestResult)} tokens: ${shortened}`,
    )
  const left = before.length - fitting.length
  if (left > 0) warn(`Earlier messages left out to fit into ${shown(room.tokens)} tokens: ${left}`)
}
