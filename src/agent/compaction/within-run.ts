import {
  HostError,
  isObject,
  type Message,
  type MessagesInput,
  toMessages,
} from '@braidwork/plugin'
import { markerMessage, summaryIn } from '../history/index.ts'
import { isSaid } from '../host-message.ts'
import type { CompactionMarker } from '../storage/index.ts'

/** A compaction between the steps of a run. */
export interface LegCompaction
  extends Pick<CompactionMarker, 'summary' | 'archive' | 'kept' | 'keptShown'> {
  /** How many messages of the leg are replaced, beside what the run was given. */
  readonly cut: number
  /** How many of the newest messages that the run was given stay. Absent if only what the user asked does. */
  readonly stays?: number
  /** The number of messages that the summary replaces, those of earlier summaries included. */
  readonly replaced: number
}

/** What the model is shown of a run in place of the messages before the cut. */
export function shownBefore(
  given: readonly Message[],
  leg: readonly Message[],
  compaction: LegCompaction,
): readonly Message[] {
  const replaced = leg.slice(0, compaction.cut)
  const system = [...given, ...replaced].filter(({ role }) => role === 'system')
  return [...system, markerMessage(compaction), ...stayingOf(given, leg, compaction)]
}

/** The messages before the cut that stay: what the user asked, or the newest ones that the run was given. */
export function stayingOf(
  given: readonly Message[],
  leg: readonly Message[],
  { cut, stays }: Pick<LegCompaction, 'cut' | 'stays'>,
): readonly Message[] {
  if (stays === undefined) return askedOf(given, leg.slice(0, cut))
  return replaceable(given).slice(-stays)
}

/** What the user asked the run, before it and meanwhile. It stays as it was. */
export function askedOf(given: readonly Message[], leg: readonly Message[]): readonly Message[] {
  const asked = given.findLast(isSaid)
  return [...(asked ? [asked] : []), ...leg.filter(isSaid)]
}

/** The messages that a compaction replaces: all that is neither kept as it is nor a summary itself. */
export function replaceable(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.role !== 'system' && !summaryIn(message))
}

/** What the compactions of a run left of its messages, for a further leg and for the next run. It is JSON. */
export interface CompactedHistory {
  /** What stands in place of all older messages: the summary, and what the user asked. System messages stay beside it. */
  readonly instead: readonly Message[]
  /** How many of the newest messages stay as they are. */
  readonly rest: number
}

/** What a compaction of a leg left. @param given the messages before those of the leg */
export function leftBy(
  given: readonly Message[],
  leg: readonly Message[],
  compaction: LegCompaction,
): CompactedHistory {
  const staying = stayingOf(given, leg, compaction)
  return { instead: [markerMessage(compaction), ...staying], rest: leg.length - compaction.cut }
}

/** Replaces the older messages of a history by what a compaction left of them. Done twice, it changes nothing. */
export function compactedTo(
  messages: readonly Message[],
  { instead, rest }: CompactedHistory,
): readonly Message[] {
  const end = Math.max(0, messages.length - rest)
  const system = messages.slice(0, end).filter(({ role }) => role === 'system')
  return [...system, ...instead, ...messages.slice(end)]
}

/** Whether a value that a program has kept is what a compaction left. */
export function isCompactedHistory(value: unknown): value is CompactedHistory {
  return isObject(value) && Array.isArray(value['instead']) && Number.isInteger(value['rest'])
}

/**
 * Returns the messages for the run after a run, or for its further leg: what it was given, and what it said. Where the
 * run has compacted itself, its summary takes the place of the older ones.
 * @param given the messages that the run was given
 * @throws {HostError} MESSAGES_INVALID, OPTION_INVALID
 */
export function messagesAfter(
  given: MessagesInput,
  result: { readonly messages: readonly Message[]; readonly compacted?: CompactedHistory },
): readonly Message[] {
  if (!isObject(result) || !Array.isArray(result.messages)) {
    const message =
      'messagesAfter takes the messages of a run and its result: "await stream.result".'
    throw new HostError('OPTION_INVALID', message)
  }
  const { messages, compacted } = result
  const all = [...toMessages(given), ...messages]
  return compacted ? compactedTo(all, compacted) : all
}
