import type { StoredRecord } from '../../agent/storage/index.ts'
import { conversationIn, entryIn } from './conversations.ts'
import { jsonIn, type Row, type SqlDatabase, type SqlSession, type SqlValue } from './database.ts'
import { agentIn, approvalIn, documentIn, fileIn, insertApproval, insertFile } from './documents.ts'
import { runIn } from './runs.ts'

const PAGE = 500

/** How the rows of a table are read, page by page, and which records they are. */
interface Table {
  readonly text: string
  /** The columns that order the rows, and tell one from all others. */
  readonly order: readonly string[]
  /** The column of the owner. */
  readonly owner: string
  readonly record: (row: Row) => StoredRecord
}

const CONVERSATION_OF = 'JOIN conversations ON conversations.id = conversation_id'
const RUN_OF = 'JOIN runs ON runs.id = run_id'

/** Parents come before their children. */
const TABLES: readonly Table[] = [
  {
    text: 'SELECT * FROM conversations',
    order: ['id'],
    owner: 'owner',
    record: (row) => ({ type: 'conversation', conversation: conversationIn(row) }),
  },
  {
    text: `SELECT entries.* FROM entries ${CONVERSATION_OF}`,
    order: ['entries.conversation_id', 'entries.seq'],
    owner: 'conversations.owner',
    record: (row) => ({
      type: 'entry',
      conversationId: String(row['conversation_id']),
      entry: entryIn(row),
    }),
  },
  {
    text: 'SELECT * FROM runs',
    order: ['id'],
    owner: 'owner',
    record: (row) => ({
      type: 'run',
      run: runIn(row),
      ...(row['idempotency_key'] === null
        ? {}
        : { idempotencyKey: String(row['idempotency_key']) }),
    }),
  },
  {
    text: `SELECT events.* FROM events ${RUN_OF}`,
    order: ['events.run_id', 'events.seq'],
    owner: 'runs.owner',
    record: (row) => ({ type: 'event', event: jsonIn(row['event']) }),
  },
  {
    text: 'SELECT * FROM approvals',
    order: ['run_id', 'position'],
    owner: 'owner',
    record: (row) => ({ type: 'approval', approval: approvalIn(row) }),
  },
  {
    text: 'SELECT files.*, bytes FROM files JOIN blobs ON blobs.hash = files.hash',
    order: ['files.owner', 'files.hash', 'files.conversation_id'],
    owner: 'files.owner',
    record: fileRecord,
  },
  {
    text: 'SELECT * FROM settings',
    order: ['owner'],
    owner: 'owner',
    record: (row) => ({
      type: 'settings',
      owner: String(row['owner']),
      layer: jsonIn(row['layer']),
    }),
  },
  {
    text: 'SELECT * FROM agents',
    order: ['id'],
    owner: 'owner',
    record: (row) => ({ type: 'agent', agent: agentIn(row) }),
  },
  {
    text: 'SELECT * FROM documents',
    order: ['owner', 'kind', 'name'],
    owner: 'owner',
    record: (row) => ({ type: 'document', document: documentIn(row) }),
  },
  {
    text: `SELECT plugin_values.* FROM plugin_values LEFT ${CONVERSATION_OF}`,
    order: ['plugin_values.conversation_id', 'plugin_values.plugin', 'plugin_values.key'],
    owner: 'conversations.owner',
    record: valueRecord,
  },
]

function valueRecord(row: Row): StoredRecord {
  const conversationId = String(row['conversation_id'])
  return {
    type: 'value',
    plugin: String(row['plugin']),
    ...(conversationId === '' ? {} : { conversationId }),
    key: String(row['key']),
    value: jsonIn(row['value']),
  }
}

function fileRecord(row: Row): StoredRecord {
  const file = fileIn(row)
  const conversationId = String(row['conversation_id'])
  return {
    type: 'file',
    owner: String(row['owner']),
    ...(conversationId === '' ? {} : { conversationId }),
    file: { ...file, bytes: Buffer.from(file.bytes).toString('base64') },
  }
}

/** All records of one owner or of all, a page of rows in memory at a time. */
export async function* recordsOf(
  database: SqlDatabase,
  owner?: string,
): AsyncGenerator<StoredRecord, void, undefined> {
  for (const table of TABLES) {
    for (let last: Row | undefined; ; ) {
      const rows = await pageOf(database, table, { owner, last })
      for (const row of rows) yield table.record(row)
      last = rows.at(-1)
      if (rows.length < PAGE) break
    }
  }
}

function pageOf(
  database: SqlDatabase,
  { text, order, owner: ownerColumn }: Table,
  { owner, last }: { readonly owner: string | undefined; readonly last: Row | undefined },
): Promise<readonly Row[]> {
  const columns = order.join(', ')
  const conditions = [
    ...(owner === undefined ? [] : [`${ownerColumn} = ?`]),
    ...(last ? [`(${columns}) > (${order.map(() => '?').join(', ')})`] : []),
  ]
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const place = last ? order.map((column) => last[plainName(column)] as SqlValue) : []
  const values = [...(owner === undefined ? [] : [owner]), ...place, PAGE]
  return database.query(`${text} ${where} ORDER BY ${columns} LIMIT ?`, values)
}

function plainName(column: string): string {
  return column.slice(column.indexOf('.') + 1)
}

/** Takes records over, some hundreds at once. Answers how many were new. */
export async function takeRecords(
  database: SqlDatabase,
  records: AsyncIterable<StoredRecord> | Iterable<StoredRecord>,
): Promise<number> {
  let count = 0
  let some: StoredRecord[] = []
  const flush = async () => {
    const taken = some
    some = []
    count += await database.transaction((session) => takeAll(session, taken))
  }
  for await (const record of records) {
    some.push(record)
    if (some.length === PAGE) await flush()
  }
  if (some.length > 0) await flush()
  return count
}

async function takeAll(session: SqlSession, records: readonly StoredRecord[]): Promise<number> {
  let count = 0
  for (const [index, record] of records.entries()) {
    if (await takeRecord(session, record, index)) count++
  }
  return count
}

async function takeRecord(
  session: SqlSession,
  record: StoredRecord,
  index: number,
): Promise<boolean> {
  if (record.type === 'approval') return insertApproval(session, record.approval, index)
  if (record.type === 'file') {
    const bytes = Buffer.from(record.file.bytes, 'base64')
    const place = [record.owner, record.conversationId ?? ''] as const
    return insertFile(session, { ...record.file, bytes }, place)
  }
  const [table, row] = rowOf(record)
  const columns = Object.keys(row)
  const rows = await session.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
      ON CONFLICT DO NOTHING RETURNING 1 AS taken`,
    Object.values(row),
  )
  return rows.length > 0
}

type Insertable = Exclude<StoredRecord, { readonly type: 'approval' | 'file' }>

function rowOf(record: Insertable): readonly [table: string, row: Record<string, SqlValue>] {
  switch (record.type) {
    case 'conversation': {
      const { id, owner, agent, sender, title = null, head = null, ...rest } = record.conversation
      const times = { created_at: rest.createdAt, updated_at: rest.updatedAt }
      const metadata = JSON.stringify(rest.metadata)
      return ['conversations', { id, owner, agent, sender, title, head, metadata, ...times }]
    }
    case 'entry':
      return ['entries', entryRow(record)]
    case 'run':
      return ['runs', runRow(record)]
    case 'event': {
      const { runId: run_id, seq, type } = record.event
      return ['events', { run_id, seq, type, event: JSON.stringify(record.event) }]
    }
    case 'settings':
      return [
        'settings',
        { owner: record.owner, layer: JSON.stringify(record.layer), updated_at: 0 },
      ]
    case 'agent': {
      const { id, owner, name, spec, updatedAt } = record.agent
      return ['agents', { id, owner, name, spec: JSON.stringify(spec), updated_at: updatedAt }]
    }
    case 'value': {
      const { plugin, conversationId: conversation_id = '', key, value } = record
      return ['plugin_values', { conversation_id, plugin, key, value: JSON.stringify(value) }]
    }
    case 'document': {
      const { owner, kind, name, content, updatedAt } = record.document
      const stored = { content: JSON.stringify(content), updated_at: updatedAt }
      return ['documents', { owner, kind, name, ...stored }]
    }
  }
}

function entryRow({ conversationId, entry }: Extract<StoredRecord, { readonly type: 'entry' }>) {
  const { id, parent = null, seq, runId = null, kind, createdAt, ...content } = entry
  return {
    conversation_id: conversationId,
    id,
    parent,
    seq,
    run_id: runId,
    kind,
    content: JSON.stringify(content),
    created_at: createdAt,
  }
}

function runRow(record: Extract<StoredRecord, { readonly type: 'run' }>) {
  const { run } = record
  const idempotencyKey = record.idempotencyKey ?? null
  const { id, owner, conversationId = null, status, facts, endedAt = null, prunedAt = null } = run
  return {
    id,
    owner,
    conversation_id: conversationId,
    status,
    facts: JSON.stringify(facts),
    idempotency_key: idempotencyKey,
    started_at: run.startedAt,
    ended_at: endedAt,
    pruned_at: prunedAt,
    next_seq: run.nextSeq,
    leg_seq: run.legSeq,
    // Nobody writes it any more: its lease stayed where it came from.
    holder: status === 'active' ? '' : null,
    lease_until: status === 'active' ? 0 : null,
  }
}
