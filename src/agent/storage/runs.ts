import type { LateEvent, RunEvent } from '@braidwork/plugin'
import type { Approval } from './approvals.ts'
import type { Append, NewEntry } from './conversations.ts'
import type { RunPlace } from './run-place.ts'

/**
 * `active`: a process works on the run. `suspended`: the run waits for approvals. The others are endings; a run is
 * `interrupted` if its process ended before it did.
 */
export type RunStatus = 'active' | 'suspended' | 'done' | 'failed' | 'aborted' | 'interrupted'

/** A run in the storage. */
export interface StoredRun {
  readonly id: string
  readonly owner: string
  readonly conversationId?: string
  /** Where a child run stands in its tree. It belongs to no conversation. AL-04 */
  readonly place?: RunPlace
  readonly status: RunStatus
  /** How the run was requested, as the caller defines it. It may contain `messageId`, the id of the response. */
  readonly order: { readonly [key: string]: unknown }
  readonly startedAt: number
  readonly endedAt?: number
  /** When the run was pruned, that is, when the deltas of each part were merged into one. */
  readonly prunedAt?: number
  /** The sequence number of the next event. */
  readonly nextSeq: number
  /**
   * The sequence number of the first event of the present leg, which began when the run was last started or
   * resumed.
   */
  readonly legSeq: number
}

export interface NewRun {
  readonly id: string
  readonly owner: string
  readonly conversationId?: string
  readonly place?: RunPlace
  readonly order: StoredRun['order']
  /** Unique per owner. A second start with the same key returns the first run. */
  readonly idempotencyKey?: string
}

/**
 * Names the process that writes a run. The clocks of two machines may differ, and may be set. A process therefore
 * only checks whether another's `expiresAt` still changes, and never compares it with its own clock.
 */
export interface Lease {
  readonly holder: string
  readonly expiresAt: number
}

/** An active run with its lease at the time of reading. */
export interface HeldRun extends Lease {
  readonly runId: string
}

/**
 * `started`: the run is new. `repeated`: a run with the same idempotency key exists. `busy`: another run is active
 * in the conversation. The last two carry the existing run.
 */
export type RunStart =
  | { readonly outcome: 'started' | 'repeated'; readonly run: StoredRun }
  | { readonly outcome: 'busy'; readonly run: StoredRun }

/** Events of one run, in order of `seq`. */
export interface EventBatch {
  readonly runId: string
  readonly events: readonly RunEvent[]
}

/**
 * The end of a run's leg: its last events, its new status, the entries to add to the conversation, and the approvals
 * that its events ask for.
 */
export interface RunEnd {
  readonly runId: string
  readonly holder: string
  readonly status: Exclude<RunStatus, 'active'>
  readonly events: readonly RunEvent[]
  readonly entries: readonly NewEntry[]
  readonly approvals?: readonly Approval[]
}

/** Which runs of an owner to return. */
export interface RunPage {
  /** The highest number of runs. The default is 100. */
  readonly limit?: number
  /** Returns only runs that started before this one: `startedAt` and `id` of the last one on the previous page. */
  readonly before?: Pick<StoredRun, 'startedAt' | 'id'>
}

export interface RunStorage {
  /**
   * Starts a run, and ends a suspended run of the same conversation as `aborted`, with those below it, all in one
   * transaction. `entries` are appended to the conversation below `parent`, as by `append`.
   * @throws {HostError} CONVERSATION_UNKNOWN, ENTRY_UNKNOWN
   */
  start(run: NewRun, lease: Lease, append: Append, now: number): Promise<RunStart>
  /**
   * Resumes a suspended run, unless another process has resumed it or a newer run of its conversation has ended it.
   */
  resume(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined>
  /** Renews the leases of the runs that the holder still has. Returns these runs. */
  renew(runIds: readonly string[], lease: Lease): Promise<readonly string[]>
  /** Returns the runs, out of `runIds`, that the holder still has. */
  held(holder: string, runIds: readonly string[]): Promise<readonly string[]>
  /**
   * Stores events of many runs at once. Returns the runs that the holder no longer has; their events are not
   * stored. Events that are stored already are skipped, so a call whose outcome is unknown may be repeated as it was.
   */
  append(holder: string, batches: readonly EventBatch[]): Promise<readonly string[]>
  /**
   * Stores events, status, entries and approvals in one transaction. Suspended runs below one that is over end as
   * `aborted`. Returns false, and stores nothing, if the holder no longer has the run.
   */
  end(end: RunEnd, now: number): Promise<boolean>
  /**
   * Stores what is told of a run after its end: the event follows the last one of the run. The result of a call that was
   * cancelled replaces the call's result in the conversation. Returns false, and stores nothing, if the run is active
   * or does not exist. An event that is stored already is skipped.
   */
  addLate(owner: string, id: string, event: LateEvent, now: number): Promise<boolean>
  load(owner: string, id: string): Promise<StoredRun | undefined>
  /** The run that was started with an idempotency key, if any. */
  begunWith(owner: string, idempotencyKey: string): Promise<StoredRun | undefined>
  /** The active or suspended run of a conversation, if any. */
  open(owner: string, conversationId: string): Promise<StoredRun | undefined>
  /** The runs of a conversation, newest first. */
  list(owner: string, conversationId: string): Promise<readonly StoredRun[]>
  /** A run and all runs below it, in order of their ids. Empty if it is no root. AL-08 */
  tree(owner: string, rootRunId: string): Promise<readonly StoredRun[]>
  /** The runs of an owner, of all conversations and of none, newest first. */
  listOwned(owner: string, page?: RunPage): Promise<readonly StoredRun[]>
  /** The newest run of a conversation. */
  last(owner: string, conversationId: string): Promise<StoredRun | undefined>
  /** The events with a `seq` above `after`, in order: at most `limit`, by default 1,000. */
  events(
    owner: string,
    runId: string,
    range?: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly RunEvent[]>
  /** The last event of a type, if any. */
  lastEvent(owner: string, runId: string, type: RunEvent['type']): Promise<RunEvent | undefined>
  /** Suspended runs with at least one answered approval and none that can still be answered. */
  answered(now: number): Promise<readonly StoredRun[]>
  /** All active runs with their leases. An imported run has no process, so its holder is `''`. */
  leases(): Promise<readonly HeldRun[]>
  /** Gives `lease` to those of the runs that are still active with an unchanged lease. Returns these runs. */
  takeOver(lease: Lease, left: readonly HeldRun[]): Promise<readonly StoredRun[]>
  /** Gives `lease` to an active run, whichever process held it. */
  seize(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined>
  /** Deletes a run with its events and approvals, and a root with all runs below it. */
  delete(owner: string, id: string): Promise<boolean>
  /**
   * Merges the deltas of each part in runs that ended before `endedBefore`. Readers get the same content. Returns
   * the number of runs pruned.
   */
  prune(endedBefore: number, now: number): Promise<number>
}
