import {
  conversationKey,
  type Entry,
  ownerOfKey,
  type StoredRecord,
} from '../../agent/storage/index.ts'
import { parentMissing, parentOf, type RecordParent } from '../record-parent.ts'
import { agentKey } from './agents.ts'
import {
  type ConversationRow,
  type FileRow,
  type RunRow,
  runOf,
  type Tables,
  type ValuesRow,
} from './tables.ts'
import { valuesRow } from './values.ts'

/** All records of a storage in memory, parents before their children. */
export function* recordsOf(tables: Tables, owner?: string): Generator<StoredRecord> {
  for (const [of, records] of ownedRecords(tables)) {
    if (owner === undefined || of === owner) yield* records
  }
}

/** Owners with what is theirs, read when it is asked for. */
function* ownedRecords(tables: Tables): Generator<[owner: string, Iterable<StoredRecord>]> {
  const { conversations, runs, approvals, files, settings, agents, documents } = tables
  for (const row of conversations.values()) yield [row.conversation.owner, conversationRecords(row)]
  for (const row of runs.values()) yield [row.run.owner, runRecords(row)]
  for (const approval of approvals.values()) {
    yield [approval.owner, [{ type: 'approval', approval }]]
  }
  for (const row of files) yield [row.owner, [fileRecord(row)]]
  for (const row of settings.values()) yield [row.owner, [{ type: 'settings', ...row }]]
  for (const agent of agents.values()) yield [agent.owner, [{ type: 'agent', agent }]]
  for (const document of documents.values()) {
    yield [document.owner, [{ type: 'document', document }]]
  }
  for (const row of tables.values.values()) {
    yield [ownerOfKey(row.conversationId ?? ''), valueRecords(row)]
  }
}

function* valueRecords({ plugin, conversationId, values }: ValuesRow): Generator<StoredRecord> {
  const place = conversationId === undefined ? {} : { conversationId }
  for (const [key, value] of values) yield { type: 'value', plugin, ...place, key, value }
}

function* conversationRecords({ conversation, entries }: ConversationRow): Generator<StoredRecord> {
  yield { type: 'conversation', conversation }
  for (const entry of entries.values()) {
    const { owner, id: conversationId } = conversation
    yield { type: 'entry', owner, conversationId, entry }
  }
}

function* runRecords(row: RunRow): Generator<StoredRecord> {
  const { idempotencyKey, events } = row
  yield {
    type: 'run',
    run: runOf(row),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
  for (const event of events) yield { type: 'event', event }
}

function fileRecord({ owner, conversationId, file }: FileRow): StoredRecord {
  const bytes = Buffer.from(file.bytes).toString('base64')
  return {
    type: 'file',
    owner,
    ...(conversationId === undefined ? {} : { conversationId }),
    file: { ...file, bytes },
  }
}

/**
 * Takes a record over, unless what it tells of is there already. Whether it did.
 * @throws {HostError} REQUEST_INVALID where what it is a part of is not there
 */
export function takeRecord(tables: Tables, record: StoredRecord): boolean {
  const parent = parentOf(record)
  if (parent && !isThere(tables, parent)) throw parentMissing(record, parent)
  switch (record.type) {
    case 'conversation': {
      const { conversation } = record
      return addNew(tables.conversations, conversationKey(conversation.owner, conversation.id), {
        conversation,
        entries: new Map<string, Entry>(),
        runs: new Set<string>(),
      })
    }
    case 'entry': {
      const row = tables.conversations.get(conversationKey(record.owner, record.conversationId))
      return row !== undefined && addNew(row.entries, record.entry.id, record.entry)
    }
    case 'run':
      return takeRun(tables, record)
    case 'event':
      return takeEvent(tables, record)
    case 'approval':
      return addNew(tables.approvals, record.approval.id, record.approval)
    case 'file':
      return takeFile(tables, record)
    case 'settings':
      return addNew(tables.settings, record.owner, {
        owner: record.owner,
        layer: record.layer as { readonly [key: string]: unknown },
      })
    case 'agent':
      return addNew(tables.agents, agentKey(record.agent.owner, record.agent.id), record.agent)
    case 'value': {
      const { plugin, conversationId, key, value } = record
      return addNew(valuesRow(tables, plugin, conversationId).values, key, value)
    }
    case 'document': {
      const { owner, kind, name } = record.document
      return addNew(tables.documents, JSON.stringify([owner, kind, name]), record.document)
    }
  }
}

function isThere({ conversations, runs }: Tables, parent: RecordParent): boolean {
  return parent.type === 'run'
    ? runs.has(parent.id)
    : conversations.has(conversationKey(parent.owner, parent.id))
}

type RecordOf<T extends StoredRecord['type']> = Extract<StoredRecord, { readonly type: T }>

function takeRun(tables: Tables, { run, idempotencyKey }: RecordOf<'run'>): boolean {
  // Nobody writes it any more: its lease stayed where it came from.
  const lease = run.status === 'active' ? { holder: '', expiresAt: 0 } : undefined
  const { owner, conversationId, nextSeq } = run
  if (!addNew(tables.runs, run.id, { run, nextSeq, lease, idempotencyKey, events: [] }))
    return false
  if (conversationId !== undefined) {
    tables.conversations.get(conversationKey(owner, conversationId))?.runs.add(run.id)
  }
  return true
}

function takeEvent(tables: Tables, { event }: RecordOf<'event'>): boolean {
  const row = tables.runs.get(event.runId)
  const last = row?.events.at(-1)
  if (!row || (last && last.seq >= event.seq)) return false
  row.events.push(event)
  return true
}

function takeFile(tables: Tables, record: RecordOf<'file'>): boolean {
  const { owner, conversationId, file } = record
  const isThere = tables.files.some(
    (row) =>
      row.owner === owner && row.file.hash === file.hash && row.conversationId === conversationId,
  )
  if (isThere) return false
  const bytes = Uint8Array.from(Buffer.from(file.bytes, 'base64'))
  tables.files.push({ owner, conversationId, file: { ...file, bytes } })
  return true
}

function addNew<V>(map: Map<string, V>, key: string, value: V): boolean {
  if (map.has(key)) return false
  map.set(key, value)
  return true
}
