import type { RunEvent } from '@braidwork/plugin'
import type { Storage, StoredRun } from '../storage/index.ts'

const PAGE = 1000

/** The stored events of the present leg of a run. */
export async function legOf(
  run: StoredRun,
  { runs }: Pick<Storage, 'runs'>,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for (let after = run.legSeq - 1; ; after = events.at(-1)?.seq ?? after) {
    const page = await runs.events(run.owner, run.id, { after, limit: PAGE })
    if (page.length === 0) return events
    events.push(...page)
  }
}
