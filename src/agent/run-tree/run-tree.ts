import type { RunPlace, Storage, StoredRun } from '../storage/index.ts'
import { type AgentState, agentState, isFinalState } from './agent-state.ts'

/** An agent of a tree of runs: a root, or a run below it. AL-04 */
export interface TreeAgent extends Partial<Omit<RunPlace, 'above'>> {
  /** The id of its run. */
  readonly id: string
  readonly state: AgentState
  readonly startedAt: number
  readonly endedAt?: number
  /** The ids of the runs that it waits for, or has waited for, in order. */
  readonly children: readonly string[]
}

/** A run and the runs below it, in order of their ids. AL-08 */
export async function treeBelow(
  run: StoredRun,
  storage: Pick<Storage, 'runs'>,
): Promise<readonly TreeAgent[]> {
  const below = await runsBelow(run, storage)
  const children = new Map<string, string[]>()
  const all = [run, ...below].sort((one, other) => (one.id < other.id ? -1 : 1))
  for (const { id, place } of all) {
    if (!place) continue
    const siblings = children.get(place.parentRunId)
    if (siblings) siblings.push(id)
    else children.set(place.parentRunId, [id])
  }
  return all.map((one) => agentOf(one, children.get(one.id) ?? []))
}

function agentOf(run: StoredRun, children: readonly string[]): TreeAgent {
  const { id, startedAt, endedAt, order, place } = run
  const { above: _, ...where } = place ?? {}
  const agent = order['agent'] ?? order['model']
  const state = agentState(run)
  return {
    ...(typeof agent === 'string' ? { agent } : {}),
    ...where,
    id,
    state,
    startedAt,
    ...(endedAt === undefined || !isFinalState(state) ? {} : { endedAt }),
    children,
  }
}

/** The runs below a run, the deepest first. */
export async function runsBelow(
  { id, owner, place }: StoredRun,
  { runs }: Pick<Storage, 'runs'>,
): Promise<readonly StoredRun[]> {
  const tree = await runs.tree(owner, place?.rootRunId ?? id)
  const byId = new Map(tree.map((run) => [run.id, run]))
  const isBelow = (run: StoredRun): boolean => {
    let above = run.place?.parentRunId
    while (above !== undefined && above !== id) above = byId.get(above)?.place?.parentRunId
    return above === id
  }
  const depthOf = (run: StoredRun) => run.place?.depth ?? 0
  return tree.filter(isBelow).sort((one, other) => depthOf(other) - depthOf(one))
}
