import type { LateEvent, RunEvent } from '@braidwork/plugin'
import {
  type Append,
  conversationKey,
  type EventBatch,
  type HeldRun,
  isSameLate,
  type Lease,
  type NewRun,
  type RunEnd,
  type RunPage,
  type RunStart,
  type RunStorage,
  type StoredRun,
} from '../storage/index.ts'
import { addApproval, isAnswered } from './approvals.ts'
import type { MemoryConversations } from './conversations.ts'
import { measure } from './entries.ts'
import { replaceResult } from './late-answers.ts'
import { heldBy, heldRuns, takenOver } from './leases.ts'
import { newestRuns } from './newest-runs.ts'
import { pruneRuns } from './prune-runs.ts'
import { removeRun } from './remove-run.ts'
import { closeTree, treeOf } from './run-tree.ts'
import { eventsIn, keyOfRun, OPEN, type RunRow, runOf, type Tables } from './tables.ts'
import { bytesOfEvents, charge, jsonSizes } from './usage.ts'

export class MemoryRuns implements RunStorage {
  readonly #tables: Tables
  readonly #conversations: MemoryConversations

  constructor(tables: Tables, conversations: MemoryConversations) {
    this.#tables = tables
    this.#conversations = conversations
  }

  async start(given: NewRun, lease: Lease, append: Append, now: number): Promise<RunStart> {
    const { idempotencyKey, ...run } = given
    const [bytes = 0] = this.#tables.isMeasured ? await jsonSizes([run.order]) : []
    const measured = await measure(append)
    // From here on nothing is awaited, so no other operation can change the rows between the checks and the writes.
    const repeated = this.#byKey(run.owner, idempotencyKey)
    if (repeated) return { outcome: 'repeated', run: runOf(repeated) }
    const { conversationId, owner } = run
    if (conversationId !== undefined) {
      const row = this.#conversations.rowOf(owner, conversationId)
      const open = this.#open(owner, conversationId)
      if (open?.run.status === 'active') return { outcome: 'busy', run: runOf(open) }
      this.#conversations.appendTo(row, measured, now)
      if (open) closeTree(this.#tables, open, { status: 'aborted', now })
      row.runs.add(run.id)
      row.open = run.id
    }
    const row: RunRow = {
      run: { ...run, status: 'active', startedAt: now, legSeq: 0 },
      nextSeq: 0,
      lease,
      idempotencyKey,
      events: [],
      bytes,
    }
    charge(this.#tables, owner, { bytes })
    this.#tables.runs.set(run.id, row)
    if (run.place) this.#tables.runsBelow.add(run.place.rootRunId, run.id)
    if (idempotencyKey !== undefined) {
      this.#tables.runKeys.set(keyOfRun(run.owner, idempotencyKey), run.id)
    }
    return { outcome: 'started', run: runOf(row) }
  }

  async begunWith(owner: string, idempotencyKey: string): Promise<StoredRun | undefined> {
    const row = this.#byKey(owner, idempotencyKey)
    return row && runOf(row)
  }

  async resume(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined> {
    const row = this.#owned(owner, id)
    if (row?.run.status !== 'suspended') return undefined
    row.run = { ...row.run, status: 'active', legSeq: row.nextSeq }
    row.lease = lease
    return runOf(row)
  }

  async renew(runIds: readonly string[], lease: Lease): Promise<readonly string[]> {
    return runIds.filter((id) => {
      const row = this.#heldBy(id, lease.holder)
      if (row) row.lease = lease
      return row !== undefined
    })
  }

  async held(holder: string, runIds: readonly string[]): Promise<readonly string[]> {
    return runIds.filter((id) => this.#heldBy(id, holder) !== undefined)
  }

  async append(holder: string, batches: readonly EventBatch[]): Promise<readonly string[]> {
    const lost: string[] = []
    for (const { runId, events } of batches) {
      const row = this.#heldBy(runId, holder)
      if (row) this.#add(row, events)
      else lost.push(runId)
    }
    return lost
  }

  async end(end: RunEnd, now: number): Promise<boolean> {
    const { runId, holder, status, events, entries, approvals = [] } = end
    const measured = await measure({ entries })
    const row = this.#heldBy(runId, holder)
    if (!row) return false
    const { owner, conversationId } = row.run
    if (conversationId !== undefined) {
      const conversation = this.#conversations.rowOf(owner, conversationId)
      this.#conversations.appendTo(conversation, measured, now)
    }
    this.#add(row, events)
    for (const approval of approvals) addApproval(this.#tables, approval)
    closeTree(this.#tables, row, { status, now })
    return true
  }

  async addLate(owner: string, id: string, event: LateEvent, now: number): Promise<boolean> {
    const row = this.#owned(owner, id)
    if (!row || row.run.status === 'active') return false
    if (row.events.some((one) => isSameLate(one, event))) return true
    const { endedAt = 0 } = row.run
    this.#add(row, [{ ...event, runId: id, seq: row.nextSeq, at: Math.max(now, endedAt) }])
    if (event.type === 'tool-execution-late') replaceResult(this.#tables, row.run, event.result)
    return true
  }

  async load(owner: string, id: string): Promise<StoredRun | undefined> {
    const row = this.#owned(owner, id)
    return row && runOf(row)
  }

  async open(owner: string, conversationId: string): Promise<StoredRun | undefined> {
    const row = this.#open(owner, conversationId)
    return row && runOf(row)
  }

  async list(owner: string, conversationId: string): Promise<readonly StoredRun[]> {
    return this.#of(owner, conversationId).map(runOf).reverse()
  }

  async tree(owner: string, rootRunId: string): Promise<readonly StoredRun[]> {
    const row = this.#owned(owner, rootRunId)
    return row && !row.run.place ? treeOf(this.#tables, row) : []
  }

  async listOwned(owner: string, page?: RunPage): Promise<readonly StoredRun[]> {
    return newestRuns(this.#tables, owner, page)
  }

  async last(owner: string, conversationId: string): Promise<StoredRun | undefined> {
    const row = this.#of(owner, conversationId).at(-1)
    return row && runOf(row)
  }

  async events(
    owner: string,
    runId: string,
    range?: Parameters<RunStorage['events']>[2],
  ): Promise<readonly RunEvent[]> {
    return eventsIn(this.#owned(owner, runId), range)
  }

  async lastEvent(
    owner: string,
    runId: string,
    type: RunEvent['type'],
  ): Promise<RunEvent | undefined> {
    return this.#owned(owner, runId)?.events.findLast((event) => event.type === type)
  }

  async answered(now: number): Promise<readonly StoredRun[]> {
    const waiting = [...this.#tables.runs.values()].filter(({ run }) => run.status === 'suspended')
    return waiting.filter(({ run }) => isAnswered(this.#tables, run.id, now)).map(runOf)
  }

  async leases(): Promise<readonly HeldRun[]> {
    return heldRuns(this.#tables)
  }

  async takeOver(lease: Lease, left: readonly HeldRun[]): Promise<readonly StoredRun[]> {
    return takenOver(this.#tables, lease, left)
  }

  async seize(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined> {
    const row = this.#owned(owner, id)
    if (row?.run.status !== 'active') return undefined
    row.lease = lease
    return runOf(row)
  }

  async delete(owner: string, id: string): Promise<boolean> {
    const row = this.#owned(owner, id)
    if (!row) return false
    const { conversationId } = row.run
    if (conversationId !== undefined) {
      this.#tables.conversations.get(conversationKey(owner, conversationId))?.runs.delete(id)
    }
    return removeRun(this.#tables, id)
  }

  async prune(endedBefore: number, now: number): Promise<number> {
    return pruneRuns(this.#tables, endedBefore, now)
  }

  /** Adds the events that are new: a write may be repeated after it was done. */
  #add(row: RunRow, given: readonly RunEvent[]): void {
    const events = given.filter(({ seq }) => seq >= row.nextSeq)
    for (const event of events) row.events.push(event)
    const last = events.at(-1)
    if (last) row.nextSeq = last.seq + 1
    if (!this.#tables.isMeasured) return
    const bytes = bytesOfEvents(events)
    row.bytes += bytes
    charge(this.#tables, row.run.owner, { bytes })
  }

  #owned(owner: string, id: string): RunRow | undefined {
    const row = this.#tables.runs.get(id)
    return row?.run.owner === owner ? row : undefined
  }

  #open(owner: string, conversationId: string): RunRow | undefined {
    const { conversations, runs } = this.#tables
    const { open = '' } = conversations.get(conversationKey(owner, conversationId)) ?? {}
    const row = runs.get(open)
    return row && OPEN.includes(row.run.status) ? row : undefined
  }

  #of(owner: string, conversationId: string): RunRow[] {
    const { conversations, runs } = this.#tables
    const row = conversations.get(conversationKey(owner, conversationId))
    return [...(row?.runs ?? [])].flatMap((id) => runs.get(id) ?? [])
  }

  #byKey(owner: string, key: string | undefined): RunRow | undefined {
    const { runs, runKeys } = this.#tables
    return key === undefined ? undefined : runs.get(runKeys.get(keyOfRun(owner, key)) ?? '')
  }

  #heldBy(id: string, holder: string): RunRow | undefined {
    return heldBy(this.#tables, id, holder)
  }
}
