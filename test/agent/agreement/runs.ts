import type { Approval, Entry, Storage, StoredRun } from '../../../src/agent/storage/index.ts'
import { isEnding, type RunEvent } from '../../../src/plugin/events/index.ts'

/** All that is stored of a run. */
export interface RunRecords {
  readonly run: StoredRun
  readonly events: readonly RunEvent[]
  readonly entries: readonly Entry[]
  readonly approvals: readonly Approval[]
}

/** What does not agree between a run's row, its lease and its events. */
export async function runFaults(
  storage: Storage,
  { run, events }: RunRecords,
): Promise<readonly string[]> {
  const { id, owner, status, nextSeq } = run
  const faults: string[] = []
  const isOpen = status === 'active' || status === 'suspended'
  if (status === 'active') faults.push('it is active, and nobody works on it')
  if (isOpen === (run.endedAt !== undefined)) faults.push(`it is ${status}, ended ${run.endedAt}`)
  const seqs = events.map(({ seq }) => seq)
  if (seqs.some((seq, index) => seq !== index)) faults.push(`its events are ${seqs}`)
  if (nextSeq !== events.length) faults.push(`next is ${nextSeq}, of ${events.length} events`)
  const times = events.map(({ at = 0 }) => at)
  if (times.some((at, index) => at < (times[index - 1] ?? 0))) faults.push('its times go back')
  if (events.some((event) => event.runId !== id)) faults.push('it has events of another run')
  const read = await storage.runs.events(owner, id)
  if (JSON.stringify(read) !== JSON.stringify(events)) faults.push('it is exported as it is not')
  if ((await storage.runs.leases()).some(({ runId }) => runId === id)) faults.push('it has a lease')
  return [...faults, ...statusFaults(run, events), ...(await stateFaults(storage, run, events))]
}

/** The status is what the last ending says. */
function statusFaults({ status }: StoredRun, events: readonly RunEvent[]): readonly string[] {
  const last = events.findLast(isEnding)
  const expected = statusesOf(last)
  return expected.includes(status) ? [] : [`it is ${status}, and ended by ${JSON.stringify(last)}`]
}

/** The statuses that a run may have after an event. A newer run of its conversation aborts one that waits. */
function statusesOf(last: RunEvent | undefined): readonly string[] {
  if (last?.type === 'abort') return ['aborted']
  if (last?.type === 'error') {
    return last.error.code === 'RUN_INTERRUPTED' ? ['interrupted'] : ['failed']
  }
  if (last?.type !== 'finish') return []
  return last.termination?.reason === 'suspended' ? ['suspended', 'aborted', 'done'] : ['done']
}

/** The state that a further leg would get is the last that was told, and no step is missing in it. */
async function stateFaults(
  { runs }: Storage,
  { id, owner, status }: StoredRun,
  events: readonly RunEvent[],
): Promise<readonly string[]> {
  const told = events.findLast((event) => event.type === 'run-state')
  const kept = await runs.lastEvent(owner, id, 'run-state')
  if (JSON.stringify(told) !== JSON.stringify(kept)) return ['its kept state is not the last told']
  const hasEnded = status === 'done' || status === 'suspended'
  const steps = events.filter(({ type }) => type === 'step-finish').length
  if (told && hasEnded && told.step !== steps) return [`its state is of step ${told.step}/${steps}`]
  return told && hasEnded ? tokenFaults(told.progress.tokens, events) : []
}

function tokenFaults(tokens: number, events: readonly RunEvent[]): readonly string[] {
  const used = events.reduce((sum, event) => {
    if (event.type !== 'step-finish' && event.type !== 'model-failed') return sum
    return sum + (event.usage?.input ?? 0) + (event.usage?.output ?? 0)
  }, 0)
  return used === tokens ? [] : [`its state counts ${tokens} tokens, and its answers used ${used}`]
}
