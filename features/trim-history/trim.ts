import { setImmediate } from 'node:timers/promises'
import type { Message } from '@braidwork/plugin'
import { fit, sumOf } from './fit.ts'
import { asPart } from './leave-out.ts'
import { type Room, shown } from './room.ts'
import { isLong, shortenResults } from './shorten-results.ts'
import { type Sizing, sizeOfJson, sizeOfMessage } from './sizes.ts'
import type { Measure } from './tokenizer.ts'

/** What messages are fitted into. */
export interface Task {
  readonly room: Room
  /** Most tokens of a tool's result. */
  readonly longestResult: number
  /** What the model is told where messages are left out. */
  readonly note: string
  readonly provider: string | undefined
  /** Schemas that are sent beside the messages. */
  readonly schemas: readonly unknown[]
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
  /** The tokenizer; asked for only where there may be too many tokens. */
  readonly load: () => Promise<Measure>
}

/** No text has more tokens than bytes. */
const bytesOf: Measure = (text) => Buffer.byteLength(text)

/**
 * Messages that fit; the same array where nothing has to change.
 * @throws CONTEXT_OVERFLOW, where even the newest do not fit.
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

/** So many messages are counted at once; then it is others' turn. */
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

/** Where it will stand is not known yet. */
function sizeOfNote(note: string, measure: Measure): number {
  return Math.max(measure(asPart.before(note).text), measure(asPart.behind(note).text))
}

/** What an answer begins with. */
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
    warn(`Messages whose results of tools were cut to ${shown(longestResult)} tokens: ${shortened}`)
  const left = before.length - fitting.length
  if (left > 0) warn(`Earlier messages left out, to fit into ${shown(room.tokens)} tokens: ${left}`)
}
