import type { Message } from '@braidwork/plugin'
import { markerMessage, summaryIn } from '../history/index.ts'
import { isSaid } from '../host-message.ts'
import type { CompactionMarker } from '../storage/index.ts'

/** A compaction between the steps of a run. */
export interface LegCompaction
  extends Pick<CompactionMarker, 'summary' | 'archive' | 'kept' | 'keptShown'> {
  /** How many messages of the leg are replaced, beside all that the run was given. */
  readonly cut: number
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
  return [...system, markerMessage(compaction), ...askedOf(given, replaced)]
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
