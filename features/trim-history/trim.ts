import { setImmediate } from 'node:timers/promises'
import type { Context, Message } from '@braidwork/plugin'
import { fit, sumOf } from './fit.ts'
import { asPart } from './leave-out.ts'
import { reportLeftOut, reportShortened } from './report.ts'
import { type Room, shown } from './room.ts'
import { isLong, type LongResults, shortenResults } from './shorten-results.ts'
import { type Sizing, sizeOfJson, sizeOfMessage } from './sizes.ts'
import type { Measure } from './tokenizer.ts'

/** The limits that messages must fit. */
export interface Task {
  readonly room: Room
  /** A tool result with more tokens is shortened. */
  readonly longestResult: number
  /** How many of the newest messages are kept for as long as they fit. */
  readonly recent: number
  /** Whether the model can read results again that the host has not stored. */
  readonly canReadAgain: boolean
  /** The note for the model in place of removed messages. */
  readonly note: string
  readonly provider: string | undefined
  /** Schemas that are sent in addition to the messages. */
  readonly schemas: readonly unknown[]
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
  readonly report: Context['report']
  /** Loads the tokenizer. Called only if the messages may be too long. */
  readonly load: () => Promise<Measure>
}

/** An upper bound: a text never has more tokens than bytes. */
const bytesOf: Measure = (text) => Buffer.byteLength(text)

/**
 * Shortens messages until they fit: first long results that the model has answered, then the oldest messages go. Where
 * even that is not enough, results that the model has not answered yet are shortened too. Returns the same array if
 * nothing has to change. AW-44
 * @throws CONTEXT_OVERFLOW if even the newest messages do not fit
 */
export async function trim(messages: readonly Message[], task: Task): Promise<readonly Message[]> {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  if (fitsSurely(messages, { provider: task.provider, measure: bytesOf }, { ...task, answered })) {
    return messages
  }
  const { signal } = task
  const measure = await task.load()
  try {
    return await fitted(messages, { ...task, measure, answered })
  } catch (error) {
    if (!task.canReadAgain || signal.aborted) throw error
    const all = await fitted(messages, { ...task, measure, answered: messages.length }).catch(
      () => undefined,
    )
    if (all) return all
    throw error
  }
}

/** A task, the place of the last answer, and the tokenizer. */
interface Fitting extends Task {
  readonly answered: number
  readonly measure: Measure
}

async function fitted(messages: readonly Message[], task: Fitting): Promise<readonly Message[]> {
  const { provider, note, room, recent, measure, signal, report } = task
  const short = shortenResults(messages, limitsOf(task), { provider, measure })
  const sizes = await sizesOf(short, { provider, measure }, signal)
  const fitting = fit({
    messages: short,
    sizes,
    beside: sizeBeside(task, measure),
    room,
    recent,
    note: { text: note, tokens: sizeOfNote(note, measure) },
  })
  reportShortened({ before: messages, after: short }, report)
  reportLeftOut({ before: short, after: fitting }, room, report)
  warnOf(messages.length - fitting.length, task)
  return fitting
}

function limitsOf({
  longestResult,
  canReadAgain,
  answered,
}: Omit<Fitting, 'measure'>): LongResults {
  return { most: longestResult, readableBefore: canReadAgain ? answered : -1 }
}

function fitsSurely(
  messages: readonly Message[],
  bounds: Sizing,
  task: Omit<Fitting, 'measure'>,
): boolean {
  const limits = limitsOf(task)
  const isAnyLong = messages.some(({ parts }, at) =>
    parts.some((part) => isLong(part, { ...limits, at }, bounds)),
  )
  if (isAnyLong) return false
  const sizes = messages.map((message) => sizeOfMessage(message, bounds))
  return sumOf(sizes) + sizeBeside(task, bounds.measure) <= task.room.tokens
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

function warnOf(left: number, { room, warn }: Task): void {
  if (left > 0) warn(`Earlier messages left out to fit into ${shown(room.tokens)} tokens: ${left}`)
}
