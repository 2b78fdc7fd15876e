import type { Message, RunEvent } from '@braidwork/plugin'
import { type LegCompaction, stayingOf } from '../compaction/index.ts'
import { loadShownNodes, shownPath } from '../history/index.ts'
import { isEmpty } from '../run-endings.ts'
import type { CompactionMarker, NewEntry, Storage, StoredRun } from '../storage/index.ts'

/**
 * The compactions within a leg, as its events tell them.
 * @param before counts the messages of the leg before a step
 */
export function compactionsIn(
  leg: readonly RunEvent[],
  before: (step: number) => number,
): readonly LegCompaction[] {
  return leg.flatMap((event): readonly LegCompaction[] => {
    const { replaced = 0, within } = (event.type === 'compaction-end' && event.done) || {}
    if (!within) return []
    const { step, ...made } = within
    return [{ ...made, replaced, cut: before(step) }]
  })
}

/** What a leg has said, and what it compacted of that. */
export interface LegOutput {
  readonly messages: readonly Message[]
  readonly compactions?: readonly LegCompaction[] | undefined
}

/**
 * The markers of the compactions within a leg, behind the entries with its messages. CT-25
 * @param entries those of the messages, empty ones left out
 * @throws {HostError} STORAGE_FAILED
 */
export async function markersOf(
  run: StoredRun,
  { messages, compactions = [] }: LegOutput,
  entries: readonly NewEntry[],
  storage: Storage,
): Promise<readonly NewEntry[]> {
  const { owner, conversationId } = run
  if (compactions.length === 0 || conversationId === undefined) return []
  const path = shownPath(await loadShownNodes({ storage, owner, conversationId }))
  const given = path.messages.map(({ message }) => withoutId(message))
  const { system: earlier = [], asked: before = [] } = path.marker?.marker ?? {}
  const system = [...earlier, ...given.filter(({ role }) => role === 'system')]
  return compactions.map(({ cut, stays, ...made }, index): NewEntry => {
    const replaced = messages.slice(0, cut)
    const kept = stays === undefined ? { cut } : { cut, stays }
    const asked = stayingOf([...before, ...given], messages, kept)
    const first = entries[replaced.filter((message) => !isEmpty([message])).length]
    const marker: CompactionMarker = {
      kind: 'compaction',
      ...made,
      ...(first ? { keptFrom: first.id } : {}),
      ...(system.length > 0 ? { system } : {}),
      ...(asked.length > 0 ? { asked } : {}),
      trigger: 'threshold',
    }
    return { ...marker, id: `${run.id}.${run.legSeq}.compaction.${index}` }
  })
}

function withoutId({ id: _, ...message }: Message): Message {
  return message
}
