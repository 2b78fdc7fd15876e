import {
  conversationKey,
  ownerOfKey,
  parentMissing,
  parentOf,
  type RecordParent,
  type StoredRecord,
} from '../storage/index.ts'
import { agentKey } from './agents.ts'
import { addApproval } from './approvals.ts'
import { addConversation } from './conversations.ts'
import { addEntry } from './entries.ts'
import { putFile } from './files.ts'
import { takeShared } from './shared-values.ts'
import {
  type ConversationRow,
  type FileRow,
  keyOfRun,
  OPEN,
  type RunRow,
  runOf,
  type Tables,
  type ValuesRow,
} from './tables.ts'
import { charge, eventBytes, jsonBytes } from './usage.ts'
import { valuesRow } from './values.ts'

/**
 * Yields all records of a storage in memory, parents before their children. A row that is added after the first record
 * is left out, since its parent may be missing.
 */
export function* recordsOf(tables: Tables, owner?: string): Generator<StoredRecord> {
  const rows = [...ownedRecords(tables)]
  for (const [of, records] of rows) {
    if (owner === undefined || of === owner) yield* records
  }
}

/** Yields each row's owner with a lazy list of its records. */
function* ownedRecords(tables: Tables): Generator<[owner: string, Iterable<StoredRecord>]> {
  const { conversations, runs, approvals, files, settings, agents, documents } = tables
  for (const row of conversations.values()) yield [row.conversation.owner, conversationRecords(row)]
  for (const row of runs.values()) yield [row.run.owner, runRecords(tables, row)]
  for (const approval of approvals.values()) {
    yield [approval.owner, [{ type: 'approval', approval }]]
  }
  for (const rows of files.values()) {
    for (const row of rows.values()) yield [row.owner, fileRecords(row)]
  }
  for (const row of settings.values()) yield [row.owner, [{ type: 'settings', ...row }]]
  for (const agent of agents.values()) yield [agent.owner, [{ type: 'agent', agent }]]
  for (const document of documents.values()) {
    yield [document.owner, [{ type: 'document', document }]]
  }
  for (const [key = '', rows] of tables.values) {
    for (const row of rows.values()) yield [ownerOfKey(key), valueRecords(row)]
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

function* runRecords({ shared }: Tables, row: RunRow): Generator<StoredRecord> {
  const { idempotencyKey } = row
  const events = [...row.events]
  const values = shared.get(row.run.id)?.all ?? []
  yield {
    type: 'run',
    run: runOf(row),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
  for (const event of events) yield { type: 'event', event }
  for (const one of values) yield { type: 'shared', runId: row.run.id, shared: one }
}

function* fileRecords({ owner, conversationId, file }: FileRow): Generator<StoredRecord> {
  const bytes = Buffer.from(file.bytes).toString('base64')
  yield {
    type: 'file',
    owner,
    ...(conversationId === undefined ? {} : { conversationId }),
    file: { ...file, bytes },
  }
}

/**
 * Imports a record unless it exists already. Returns whether it was imported.
 * @throws {HostError} REQUEST_INVALID if the record's parent does not exist
 */
export function takeRecord(tables: Tables, record: StoredRecord): boolean {
  const parent = parentOf(record)
  if (parent && !isThere(tables, parent)) throw parentMissing(record, parent)
  switch (record.type) {
    case 'conversation':
      return addConversation(tables, record.conversation)
    case 'entry': {
      const row = tables.conversations.get(conversationKey(record.owner, record.conversationId))
      if (!row || !addEntry(row, record.entry)) return false
      const { seq: _, createdAt: __, parent: ___, ...own } = record.entry
      row.bytes += jsonBytes(own)
      charge(tables, record.owner, { bytes: jsonBytes(own) })
      return true
    }
    case 'run':
      return takeRun(tables, record)
    case 'event':
      return takeEvent(tables, record)
    case 'approval':
      return addApproval(tables, record.approval)
    case 'shared':
      return takeShared(tables, record.runId, record.shared)
    case 'file':
      return takeFile(tables, record)
    case 'settings': {
      const { owner, layer } = record
      const row = { owner, layer: layer as { readonly [key: string]: unknown } }
      return counted(tables, [owner, layer], addNew(tables.settings, owner, row))
    }
    case 'agent': {
      const { owner, id, spec } = record.agent
      const isNew = addNew(tables.agents, agentKey(owner, id), record.agent)
      return counted(tables, [owner, spec], isNew)
    }
    case 'value': {
      const { plugin, conversationId, key, value } = record
      const isNew = addNew(valuesRow(tables, plugin, conversationId).values, key, value)
      return counted(tables, [ownerOfKey(conversationId ?? ''), value], isNew)
    }
    case 'document': {
      const { owner, kind, name, content } = record.document
      const isNew = addNew(tables.documents, JSON.stringify([owner, kind, name]), record.document)
      return counted(tables, [owner, content], isNew)
    }
  }
}

/** Adds the size of a newly imported value to its owner's usage. */
function counted(
  tables: Tables,
  [owner, value]: readonly [owner: string, value: unknown],
  isNew: boolean,
): boolean {
  if (isNew) charge(tables, owner, { bytes: jsonBytes(value) })
  return isNew
}

function isThere({ conversations, runs }: Tables, parent: RecordParent): boolean {
  return parent.type === 'run'
    ? runs.has(parent.id)
    : conversations.has(conversationKey(parent.owner, parent.id))
}

type RecordOf<T extends StoredRecord['type']> = Extract<StoredRecord, { readonly type: T }>

function takeRun(tables: Tables, { run, idempotencyKey }: RecordOf<'run'>): boolean {
  // No process writes an imported run: its lease stayed behind in the original storage.
  const lease = run.status === 'active' ? { holder: '', expiresAt: 0 } : undefined
  const { owner, conversationId, nextSeq } = run
  const bytes = jsonBytes(run.order)
  const begun = { run, nextSeq, lease, idempotencyKey, events: [], bytes }
  if (!addNew(tables.runs, run.id, begun)) return false
  charge(tables, owner, { bytes })
  if (run.place) tables.runsBelow.add(run.place.rootRunId, run.id)
  if (idempotencyKey !== undefined) tables.runKeys.set(keyOfRun(owner, idempotencyKey), run.id)
  const row = tables.conversations.get(conversationKey(owner, conversationId ?? ''))
  if (!row || conversationId === undefined) return true
  row.runs.add(run.id)
  if (OPEN.includes(run.status)) row.open = run.id
  return true
}

function takeEvent(tables: Tables, { event }: RecordOf<'event'>): boolean {
  const row = tables.runs.get(event.runId)
  const last = row?.events.at(-1)
  if (!row || (last && last.seq >= event.seq)) return false
  row.events.push(event)
  row.bytes += eventBytes(event)
  charge(tables, row.run.owner, { bytes: eventBytes(event) })
  return true
}

function takeFile(tables: Tables, record: RecordOf<'file'>): boolean {
  const { owner, conversationId, file } = record
  const bytes = Uint8Array.from(Buffer.from(file.bytes, 'base64'))
  return putFile(tables, { owner, conversationId, file: { ...file, bytes } })
}

function addNew<V>(map: Map<string, V>, key: string, value: V): boolean {
  if (map.has(key)) return false
  map.set(key, value)
  return true
}
