import type { Sink } from '@braidwork/core/internal'
import { HostError, isEnding, type RunEvent } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Suspension } from '../approvals.ts'
import type { Environment } from '../environment.ts'
import type { RunStream } from '../loop.ts'
import type { RunResult } from '../run-record.ts'
import type { Storage, StoredRun } from '../storage/index.ts'
import { type CommitOutcome, type CommitQueue, withRetries } from './commit-queue.ts'
import { entriesOf, statusOf } from './ending.ts'
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
  const outcome = new RunCommit(live)
  try {
    const last: RunEvent[] = []
    const result = await stream.pipeTo(storing(outcome, parts, last))
    await parts.queue.settled()
    if (outcome.isGood) await storeEnding(result, last, { live, parts })
  } catch (error) {
    outcome.failed(toHostError(error, undefined, 'STORAGE_FAILED'))
  }
}

/** Queues events for storage. Collects in `last` the events that have to be stored together with the ending. */
function storing(
  outcome: RunCommit,
  { queue }: RecorderParts,
  last: RunEvent[],
): Sink<readonly RunEvent[]> {
  const write = queue.writer(outcome.runId, outcome)
  return (events) => {
    // The storage has failed or refused, so the run was told to stop. Its remaining events are dropped.
    if (!outcome.isGood) return undefined
    for (const event of events) {
      // An approval must not be answered before it is stored, and it is stored with the end of the leg.
      if (isEnding(event) || event.type === 'approval-required') last.push(event)
      else write(event)
    }
    return queue.isFull ? queue.settled() : undefined
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
  const entries = entriesOf(run, result.messages, status)
  const isStored = await withRetries(environment, async () => {
    if (result.suspension) await storeApprovals(result.suspension, run, { storage, environment })
    const end = { runId: run.id, holder, status, events, entries }
    return storage.runs.end(end, environment.now())
  })
  if (isStored) live.publish(events)
}

async function storeApprovals(
  { approvals }: Suspension,
  run: StoredRun,
  { storage, environment }: Pick<RecorderParts, 'storage' | 'environment'>,
): Promise<void> {
  const { id: runId, owner, conversationId } = run
  const own = new Set(approvals.map(({ approvalId }) => approvalId))
  const before = (await storage.approvals.list(owner, runId)).filter(({ id }) => !own.has(id))
  // The approvals of a later leg sort after the earlier ones, even if the clock was set back in between.
  const requestedAt = Math.max(
    environment.now(),
    ...before.map((approval) => approval.requestedAt + 1),
  )
  await storage.approvals.create(
    approvals.map(({ approvalId: id, callId, name: tool, input, binding, expiresAt }) => ({
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
    })),
  )
}

/**
 * Shows stored events to the readers. Stops the run when its events cannot be stored or another process holds it.
 */
class RunCommit implements CommitOutcome {
  readonly #live: LiveRun
  #isGood = true

  constructor(live: LiveRun) {
    this.#live = live
  }

  get runId(): string {
    return this.#live.run.id
  }

  get isGood(): boolean {
    return this.#isGood
  }

  stored(events: readonly RunEvent[]): void {
    this.#live.publish(events)
  }

  lost(): void {
    this.#end('another process has taken the run over')
  }

  failed(error: HostError): void {
    if (!this.#isGood) return
    this.#live.fail(new HostError('STORAGE_FAILED', error.message, { cause: error }))
    this.#end('its events could not be stored')
  }

  #end(reason: string): void {
    this.#isGood = false
    this.#live.stop(reason)
  }
}
