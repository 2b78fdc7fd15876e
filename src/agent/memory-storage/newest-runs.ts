import type { RunPage, StoredRun } from '../storage/index.ts'
import { runOf, type Tables } from './tables.ts'

const MOST_RUNS = 100

/** The runs of an owner, newest first. */
export function newestRuns(
  { runs }: Tables,
  owner: string,
  { limit = MOST_RUNS, before }: RunPage = {},
): readonly StoredRun[] {
  const own = [...runs.values()].flatMap(({ run }) => (run.owner === owner ? [run] : []))
  const shown = before ? own.filter((run) => isNewer(before, run)) : own
  const page = shown.sort((left, right) => (isNewer(left, right) ? -1 : 1)).slice(0, limit)
  return page.flatMap(({ id }) => {
    const row = runs.get(id)
    return row ? [runOf(row)] : []
  })
}

type Begun = Pick<StoredRun, 'startedAt' | 'id'>

function isNewer(left: Begun, right: Begun): boolean {
  if (left.startedAt !== right.startedAt) return left.startedAt > right.startedAt
  return left.id > right.id
}
