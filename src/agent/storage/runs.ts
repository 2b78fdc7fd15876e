import type { RunEvent } from '@braidwork/plugin'
import type { NewEntry } from './conversations.ts'

/**
 * `active` while a process writes it, `suspended` while it waits for approvals; the others are endings,
 * `interrupted` that of a run whose process went away.
 */
export type RunStatus = 'active' | 'suspended' | 'done' | 'failed' | 'aborted' | 'interrupted'

/** A run as it is stored. */
export interface StoredRun {
  readonly id: string
  readonly owner: string
  readonly conversationId?: string
  readonly status: RunStatus
  /** How the run was asked for, in the caller's own fields; among them `messageId`, the id of its answer. */
  readonly order: { readonly [key: string]: unknown }
  readonly startedAt: number
  readonly endedAt?: number
  /** When the deltas of each of its parts were made one. */
  readonly prunedAt?: number
  /** The number of the next event. */
  readonly nextSeq: number
  /** The number of the first event since the run was last taken up: of its present leg. */
  readonly legSeq: number
}

export interface NewRun {
  readonly id: string
  readonly owner: string
  readonly conversationId?: string
  readonly order: StoredRun['order']
  /** Of the owner's; a second start with the same key is given the run of the first. */
  readonly idempotencyKey?: string
}

/**
 * Who writes a run. The clocks of two machines may differ by anything, and be set: of a lease that others hold
 * it counts whether `expiresAt` still changes, not what it is.
 */
export interface Lease {
  readonly holder: string
  readonly expiresAt: number
}

/** An active run, and its lease as it was seen. */
export interface HeldRun extends Lease {
  readonly runId: string
}

/** Whether a run began, or which one was there before it, by its key or active in its conversation. */
export type RunStart =
  | { readonly outcome: 'started' | 'repeated'; readonly run: StoredRun }
  | { readonly outcome: 'busy'; readonly run: StoredRun }

/** Events of one run, in order of `seq`. */
export interface EventBatch {
  readonly runId: string
  readonly events: readonly RunEvent[]
}

/** How a run's leg ends: its last events, its new status, what of it is the conversation's. */
export interface RunEnd {
  readonly runId: string
  readonly holder: string
  readonly status: Exclude<RunStatus, 'active'>
  readonly events: readonly RunEvent[]
  readonly entries: readonly NewEntry[]
}

export interface RunStorage {
  /**
   * Begins a run, and ends a suspended one of its conversation (`aborted`). All or nothing.
   * `entries` are appended to the conversation below `parent`, as by `append`.
   * @throws {HostError} CONVERSATION_UNKNOWN, ENTRY_UNKNOWN
   */
  start(
    run: NewRun,
    lease: Lease,
    append: { readonly entries: readonly NewEntry[]; readonly parent?: string | null },
    now: number,
  ): Promise<RunStart>
  /** A suspended run goes on, if nobody else has taken it up or begun another in its conversation. */
  resume(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined>
  /** Those of the runs that are still the holder's, and now for longer. */
  renew(runIds: readonly string[], lease: Lease): Promise<readonly string[]>
  /** Those of the runs that are still the holder's. */
  held(holder: string, runIds: readonly string[]): Promise<readonly string[]>
  /**
   * Stores events of many runs at once. Answers the runs that are not the holder's any more; of these
   * nothing is stored.
   */
  append(holder: string, batches: readonly EventBatch[]): Promise<readonly string[]>
  /** Events, status and entries at once. False, and nothing, where the run is not the holder's any more. */
  end(end: RunEnd, now: number): Promise<boolean>
  load(owner: string, id: string): Promise<StoredRun | undefined>
  /** The run that was begun with a key. */
  begunWith(owner: string, idempotencyKey: string): Promise<StoredRun | undefined>
  /** The run of a conversation that is active or suspended. */
  open(owner: string, conversationId: string): Promise<StoredRun | undefined>
  /** The runs of a conversation, the last first. */
  list(owner: string, conversationId: string): Promise<readonly StoredRun[]>
  /** The run of a conversation that began last. */
  last(owner: string, conversationId: string): Promise<StoredRun | undefined>
  /** At most `limit` events (1,000 where it is not said) with a `seq` above `after`, in order. */
  events(
    owner: string,
    runId: string,
    range?: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly RunEvent[]>
  /** The last event of a type; nothing where there is none. */
  lastEvent(owner: string, runId: string, type: RunEvent['type']): Promise<RunEvent | undefined>
  /** Suspended runs that somebody has answered, and that wait for nothing that is open still. */
  answered(now: number): Promise<readonly StoredRun[]>
  /** The active runs; whoever imported one has no process at work on it, and its holder is `''`. */
  leases(): Promise<readonly HeldRun[]>
  /** Those of the runs that are active and whose lease is as it was seen, now the new lease's. */
  takeOver(lease: Lease, left: readonly HeldRun[]): Promise<readonly StoredRun[]>
  /** An active run becomes the new lease's, whoever held it. */
  seize(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined>
  /** With its events and approvals. */
  delete(owner: string, id: string): Promise<boolean>
  /** Makes the deltas of each part one, in runs that ended before: they read the same as ever. How many runs. */
  prune(endedBefore: number, now: number): Promise<number>
}
