import type { Message } from '@braidwork/plugin'
import { tokensIn } from '../estimated-tokens.ts'
import { findCut } from './cut.ts'
import { askedOf, type LegCompaction, replaceable, stayingOf } from './within-run.ts'

/** A compaction replaces at least so many tokens, by an estimate. AW-42 */
const LEAST_TOKENS = 1024

/** A leg of a run before one of its requests. */
export interface LegSoFar {
  readonly given: readonly Message[]
  /** Those of the leg. */
  readonly messages: readonly Message[]
  /** Where its steps begin. No call is open there. */
  readonly starts: readonly { readonly step: number; readonly at: number }[]
  readonly last: LegCompaction | undefined
  /** Whether the events of the run are stored. Conversations are then compacted between their runs, too. */
  readonly isStored: boolean
}

/** Where a compaction cuts a leg: before a step. */
export interface LegCut extends Pick<LegCompaction, 'cut' | 'stays'> {
  readonly step: number
}

/** Finds where to cut a leg. Undefined if no cut is safe, or none is worth it. AW-42 */
export function legCutOf(leg: LegSoFar, suffix: number): LegCut | undefined {
  const { given, messages, starts, last } = leg
  const most = messages.length - Math.max(1, suffix)
  const place = starts.findLast(({ at }) => at <= most)
  if (!place || place.at <= (last?.cut ?? 0)) return givenCutOf(leg, suffix)
  const cut = { step: place.step, cut: place.at }
  const asked = askedOf(given, [])
  const replaced = newlyReplaced(leg, cut).filter((message) => !asked.includes(message))
  return tokensIn(replaced) >= LEAST_TOKENS ? cut : undefined
}

/** Finds where to cut what a run was given, before its own messages. */
function givenCutOf(leg: LegSoFar, suffix: number): LegCut | undefined {
  const [first] = leg.starts
  if (first?.at !== 0 || leg.last) return undefined
  const own = replaceable(leg.given)
  const cut = findCut(own, suffix - leg.messages.length)
  if (cut === undefined) return undefined
  const stays = own.length - cut
  const isQuestion = stays === 1 && own[cut] === askedOf(leg.given, [])[0]
  const { step } = first
  if (!leg.isStored) return isQuestion ? { step, cut: 0 } : { step, cut: 0, stays }
  // The events of a run and the marker of a conversation name no other messages that stay.
  const hasAnswered = leg.messages.some(({ role }) => role === 'assistant')
  return hasAnswered && isQuestion ? { step, cut: 0 } : undefined
}

/** The messages that a compaction replaces and the one before did not, with what the user asked among them. */
export function newlyReplaced(
  { given, messages, last }: Pick<LegSoFar, 'given' | 'messages' | 'last'>,
  { cut, stays }: Pick<LegCut, 'cut' | 'stays'>,
): readonly Message[] {
  if (stays !== undefined) return replaceable(given).slice(0, -stays)
  const left = last?.stays === undefined ? [] : stayingOf(given, messages, last)
  return replaceable([...(last ? left : given), ...messages.slice(last?.cut ?? 0, cut)])
}
