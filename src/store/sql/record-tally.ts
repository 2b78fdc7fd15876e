import { conversationKey, type StoredRecord } from '@braidwork/agent'
import { bytesOf, ownerOfKey, sharedSize } from '@braidwork/agent/internal'
import { conversationRow } from './conversation-row.ts'
import type { SqlSession } from './database.ts'
import { entryRow } from './entry-row.ts'
import { addCharge, type Charge, chargeAll } from './usage.ts'

/** Adds up the sizes of imported records, per owner, conversation and run. */
export class RecordTally {
  readonly #charges = new Map<string, Charge>()
  readonly #conversations = new Map<string, { place: readonly [string, string]; bytes: number }>()
  readonly #runs = new Map<string, number>()

  add(record: StoredRecord): void {
    if (record.type === 'conversation') {
      const { owner } = record.conversation
      const bytes = Number(conversationRow(record.conversation)['bytes'])
      addCharge(this.#charges, owner, { bytes, conversations: 1 })
    } else if (record.type === 'entry') this.#addEntry(record)
    else if (record.type === 'event') this.#addToRun(record.event.runId, record.event)
    else if (record.type === 'approval') this.#addToRun(record.approval.runId, record.approval)
    else if (record.type === 'shared') {
      const { key, value } = record.shared
      this.#growRun(record.runId, sharedSize(key, JSON.stringify(value ?? null)))
    } else if (record.type === 'file') {
      const bytes = Buffer.byteLength(record.file.bytes, 'base64')
      addCharge(this.#charges, record.owner, { bytes, files: 1 })
    } else {
      const [owner, value] = keptIn(record)
      addCharge(this.#charges, owner, { bytes: bytesOf(JSON.stringify(value ?? null)) })
    }
  }

  /** Adds the sums to the stored counters. */
  async charge(session: SqlSession): Promise<void> {
    for (const { place, bytes } of this.#conversations.values()) {
      const text = 'UPDATE conversations SET bytes = bytes + ? WHERE owner = ? AND id = ?'
      await session.query(text, [bytes, ...place])
    }
    for (const [id, bytes] of this.#runs) {
      const text = 'UPDATE runs SET bytes = bytes + ? WHERE id = ? RETURNING owner'
      const [row] = await session.query(text, [bytes, id])
      addCharge(this.#charges, String(row?.['owner']), { bytes })
    }
    await chargeAll(session, this.#charges)
  }

  #addEntry({ owner, conversationId, entry }: Extract<StoredRecord, { type: 'entry' }>): void {
    const place = [owner, conversationId] as const
    const bytes = bytesOf(String(entryRow(place, entry)['content']))
    const key = conversationKey(...place)
    const before = this.#conversations.get(key)?.bytes ?? 0
    this.#conversations.set(key, { place, bytes: before + bytes })
    addCharge(this.#charges, owner, { bytes })
  }

  #addToRun(id: string, value: object): void {
    this.#growRun(id, bytesOf(JSON.stringify(value)))
  }

  #growRun(id: string, bytes: number): void {
    this.#runs.set(id, (this.#runs.get(id) ?? 0) + bytes)
  }
}

type Kept = Extract<StoredRecord, { type: 'run' | 'settings' | 'agent' | 'document' | 'value' }>

/** The owner of a record, and the value whose size counts. */
function keptIn(record: Kept): readonly [owner: string, value: unknown] {
  switch (record.type) {
    case 'run':
      return [record.run.owner, record.run.order]
    case 'settings':
      return [record.owner, record.layer]
    case 'agent':
      return [record.agent.owner, record.agent.spec]
    case 'document':
      return [record.document.owner, record.document.content]
    case 'value':
      return [ownerOfKey(record.conversationId ?? ''), record.value]
  }
}
