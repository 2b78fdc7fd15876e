import type { RunEvent } from '@braidwork/plugin'
import type {
  Approval,
  ContextValues,
  Conversation,
  Entry,
  Lease,
  StorageUsage,
  StoredAgent,
  StoredDocument,
  StoredFile,
  StoredRun,
  StoredToken,
} from '../storage/index.ts'

export interface ConversationRow {
  conversation: Conversation
  /** The size of title, metadata and entries. */
  bytes: number
  /** Entries by id, in the order in which they were added. */
  readonly entries: Map<string, Entry>
  /** The id of the entry added last. */
  last?: string
  /** The id of each run's last entry, by run id. */
  readonly lastOf: Map<string, string>
  /** Those of the messages on all branches. */
  readonly messageIds: Set<string>
  /** Ids of runs, in the order in which they started. */
  readonly runs: Set<string>
  /** The id of the run started last. It may be active or suspended, or have ended since. */
  open?: string
}

export interface RunRow {
  /** The run without `nextSeq`, which changes with every batch of events and is kept apart. */
  run: Omit<StoredRun, 'nextSeq'>
  nextSeq: number
  lease: Lease | undefined
  readonly idempotencyKey: string | undefined
  events: RunEvent[]
  /** The size of the order, events and approvals. */
  bytes: number
}

/** Returns the run with its current `nextSeq`. */
export function runOf({ run, nextSeq }: RunRow): StoredRun {
  return { ...run, nextSeq }
}

/** The key by which a run is found from its owner and idempotency key. */
export function keyOfRun(owner: string, idempotencyKey: string): string {
  return JSON.stringify([owner, idempotencyKey])
}

export interface FileRow {
  readonly owner: string
  readonly conversationId: string | undefined
  readonly file: StoredFile
}

export interface SettingsRow {
  readonly owner: string
  readonly layer: { readonly [key: string]: unknown }
}

/** The values that one plugin stores for one conversation, for one owner, or globally. */
export interface ValuesRow {
  readonly plugin: string
  /** A `conversationKey`, an `ownerKey`, or undefined for global values. */
  readonly conversationId: string | undefined
  readonly values: Map<string, unknown>
}

/** What a counter counted in one window. */
export interface CounterRow {
  readonly endsAt: number
  readonly amount: number
  readonly held: number
}

/** An index from one key to many, for example from a run's id to the ids of its approvals. */
class IndexOf {
  readonly #keys = new Map<string, Set<string>>()

  add(to: string, key: string): void {
    const keys = this.#keys.get(to)
    if (keys) keys.add(key)
    else this.#keys.set(to, new Set([key]))
  }

  delete(from: string, key: string): void {
    const keys = this.#keys.get(from)
    keys?.delete(key)
    if (keys?.size === 0) this.#keys.delete(from)
  }

  /** The keys of one group, in the order in which they were added. */
  of(one: string): readonly string[] {
    return [...(this.#keys.get(one) ?? [])]
  }
}

/** The contents of a storage in memory. */
export interface Tables {
  /** Conversations by `conversationKey`. */
  readonly conversations: Map<string, ConversationRow>
  /** Keys of `conversations` by owner. */
  readonly conversationsOf: IndexOf
  readonly runs: Map<string, RunRow>
  /** Ids of child runs by the root of their tree. */
  readonly runsBelow: IndexOf
  /** Ids of runs by `keyOfRun`. */
  readonly runKeys: Map<string, string>
  readonly approvals: Map<string, Approval>
  /** Ids of approvals by run. */
  readonly approvalsOf: IndexOf
  /** By owner and hash, then by the id of the conversation that has the file, or undefined for the owner alone. */
  readonly files: Map<string, Map<string | undefined, FileRow>>
  /** Keys of `files` by `conversationKey`. */
  readonly filesOf: IndexOf
  readonly settings: Map<string, SettingsRow>
  /** By `agentKey`, made of owner and id. */
  readonly agents: Map<string, StoredAgent>
  readonly documents: Map<string, StoredDocument>
  /** Tokens by id. */
  readonly tokens: Map<string, StoredToken>
  /** The shared contexts of teams by run. */
  readonly shared: Map<string, ContextValues>
  /** By the beginning of the window and the key of the counter. */
  readonly counters: Map<string, CounterRow>
  /** By `conversationKey` or `ownerKey`, then by plugin. */
  readonly values: Map<string | undefined, Map<string, ValuesRow>>
  /** Usage by owner. */
  readonly usage: Map<string, StorageUsage>
  /** Whether the sizes of runs are measured. */
  readonly isMeasured: boolean
}

export function emptyTables(isMeasured: boolean): Tables {
  return {
    isMeasured,
    conversations: new Map(),
    conversationsOf: new IndexOf(),
    runs: new Map(),
    runsBelow: new IndexOf(),
    runKeys: new Map(),
    approvals: new Map(),
    approvalsOf: new IndexOf(),
    files: new Map(),
    filesOf: new IndexOf(),
    settings: new Map(),
    agents: new Map(),
    documents: new Map(),
    tokens: new Map(),
    shared: new Map(),
    counters: new Map(),
    values: new Map(),
    usage: new Map(),
  }
}

/** Marks a run as ended or suspended, and removes its lease. */
export function closeRun(row: RunRow, status: StoredRun['status'], now: number): void {
  row.lease = undefined
  row.run = { ...row.run, status, ...(status === 'suspended' ? {} : { endedAt: now }) }
}

/**
 * The statuses in which a run occupies its conversation: an active run makes a new one wait, and a new run ends a
 * suspended one.
 */
export const OPEN: readonly StoredRun['status'][] = ['active', 'suspended']

const MOST_EVENTS = 1000

/** The events of a run after `after`, at most `limit`. */
export function eventsIn(
  row: RunRow | undefined,
  { after = -1, limit = MOST_EVENTS }: { readonly after?: number; readonly limit?: number } = {},
): readonly RunEvent[] {
  const events = row?.events ?? []
  const start = indexAfter(events, after)
  return start === -1 ? [] : events.slice(start, start + limit)
}

/** The index of the first event after `after`, or -1. */
function indexAfter(events: readonly RunEvent[], after: number): number {
  // Without pruning no event is missing, so each event stands at the index that equals its `seq`.
  const isWhole = events[after + 1]?.seq === after + 1
  return isWhole ? after + 1 : events.findIndex(({ seq }) => seq > after)
}
