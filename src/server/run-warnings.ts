import type { StoredRun } from '@braidwork/agent'

/** By the run as it was begun, so that warnings are known as long as somebody may still write the answer. */
const warningsByRun = new WeakMap<StoredRun, Promise<readonly string[]>>()

/** Notes the warnings of the leg of a run that this process begins; they are known at its end. */
export function noteWarnings(run: StoredRun, warnings: Promise<readonly string[]>): void {
  warningsByRun.set(run, warnings)
}

/**
 * Returns the warnings of a leg that has ended, for the request that began it. The storage does not have them, so a run
 * that is read again has none.
 */
export async function warningsOf(run: StoredRun): Promise<readonly string[]> {
  return (await warningsByRun.get(run)) ?? []
}
