import { addUsage, type RunEvent, type Usage } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Suspension } from '../approvals.ts'
import type { Environment } from '../environment.ts'
import { isEmpty } from '../run-endings.ts'
import type { RunResult, RunStream } from '../run-result.ts'
import type { Approval, Storage, StoredRun } from '../storage/index.ts'
import { type CommitQueue, withRetries } from './commit-queue.ts'
import { untoldUsage } from './earlier-legs.ts'
import { entriesOf, statusOf, withOtherUsage } from './ending.ts'
import { markersOf } from './leg-markers.ts'
import type { LiveRun } from './live-run.ts'

export interface RecorderParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly queue: CommitQueue
  readonly holder: string
}

/**
 * Consumes a run's stream as its only reader: stores the events, then shows them to the readers of the log.
 * Resolves when the run's leg ends. Never throws: an event that cannot be stored stops the run, and the readers are
 * told.
 */
export async function record(
  stream: RunStream,
  live: LiveRun,
  parts: RecorderParts,
): Promise<void> {
  try {
    const last: RunEvent[] = []
    const result = await stream.pipeTo(parts.queue.writer(live, last))
    await parts.queue.settled()
    if (live.isStored) await storeEnding(result, last, { live, parts })
  } catch (error) {
    live.fail(toHostError(error, undefined, 'STORAGE_FAILED'))
  }
}

interface Ended {
  readonly live: LiveRun
  readonly parts: RecorderParts
}

async function storeEnding(
  result: RunResult,
  events: readonly RunEvent[],
  { live, parts: { storage, environment, holder } }: Ended,
): Promise<void> {
  const { run } = live
  const status = statusOf(result)
  const isStored = await withRetries(environment, async () => {
    const said = run.conversationId === undefined ? [] : await saidIn(result, run, storage)
    const entries = [...said, ...(await markersOf(run, result, said, storage))]
    const approvals = await approvalsOf(result.suspension, run, { storage, environment })
    const end = { runId: run.id, holder, status, events, entries, approvals }
    return storage.runs.end(end, environment.now())
  })
  if (isStored) live.publish(events)
  else live.lose()
}

/** The entries of a leg, with all that it used, and what legs before it used that have none. */
async function saidIn(result: RunResult, run: StoredRun, storage: Storage) {
  const total = addUsage(result.usage, await untoldUsage(run, storage))
  const messages = withOtherUsage(result.messages, total, usageOfUnfinished(result))
  return entriesOf(run, messages, statusOf(result))
}

/** The usage of an answer that ended before its text began: no step of it has finished, so no event has its usage. */
function usageOfUnfinished({ status, messages }: RunResult): Usage {
  const last = messages.at(-1)
  return status !== 'done' && last && isEmpty([last]) ? (last.metadata?.usage ?? {}) : {}
}

/** The approvals for which a run waits, as they are stored. */
async function approvalsOf(
  suspension: Suspension | undefined,
  run: StoredRun,
  { storage, environment }: Pick<RecorderParts, 'storage' | 'environment'>,
): Promise<readonly Approval[]> {
  // AL-23: the question of a child run is asked by its root.
  if (!suspension || run.place) return []
  const { id: runId, owner, conversationId } = run
  const before = await storage.approvals.list(owner, runId)
  // The approvals of a later leg sort after the earlier ones, even if the clock was set back in between.
  const requestedAt = Math.max(
    environment.now(),
    ...before.map((approval) => approval.requestedAt + 1),
  )
  return suspension.approvals.map(
    ({ approvalId: id, name: tool, callId, input, binding, expiresAt, isQuestion }) => ({
      id,
      owner,
      runId,
      ...(conversationId === undefined ? {} : { conversationId }),
      callId,
      tool,
      input,
      binding,
      requestedAt,
      expiresAt,
      ...(isQuestion ? { isQuestion } : {}),
    }),
  )
}
