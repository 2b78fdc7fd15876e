import type { KeptState, RunEvent } from '@braidwork/plugin'
import type { Storage, StoredRun } from '../storage/index.ts'

/** How far a run has come, as its stored events tell. */
export interface RunReached {
  /** The number of steps that the run has taken. */
  readonly steps: number
  /** What its stop conditions and features need in a further leg. */
  readonly kept?: KeptState
}

/** How far a run has come in all its legs. */
export async function reachedBy({ owner, id }: StoredRun, { runs }: Storage): Promise<RunReached> {
  const step = await runs.lastEvent(owner, id, 'step-start')
  const state = await runs.lastEvent(owner, id, 'run-state')
  return { steps: step?.type === 'step-start' ? step.step : 0, ...keptIn(state) }
}

/** The state that an event tells. */
export function keptIn(event: RunEvent | undefined): Pick<RunReached, 'kept'> {
  if (event?.type !== 'run-state') return {}
  const { progress, values, children } = event
  return { kept: { progress, values, ...(children ? { children } : {}) } }
}
