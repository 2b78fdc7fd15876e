import { conversationKey, type StoredRecord } from '@braidwork/agent'
import { ownerKey } from '@braidwork/agent/internal'
import { agentIn } from './agents.ts'
import { approvalIn } from './approvals.ts'
import { conversationIn } from './conversation-row.ts'
import { jsonIn, type Row, type SqlDatabase, type SqlSession, type SqlValue } from './database.ts'
import { documentIn } from './documents.ts'
import { entryIn } from './entry-row.ts'
import { fileIn } from './files.ts'
import { runIn } from './run-row.ts'
import { sharedIn } from './shared-values.ts'

const PAGE = 200
/** The number of files read per statement. A file may have the largest size that the server accepts. */
const FILE_PAGE = 1

/** Describes how to read the rows of a table page by page and convert them to records. */
interface Table {
  readonly text: string
  /** The columns by which rows are sorted. Together they identify a row. */
  readonly order: readonly string[]
  /** The SQL condition that selects the rows of one owner. */
  readonly owned: string
  /** The number of rows read per statement. The default is `PAGE`. */
  readonly page?: number
  /** Returns the parameters of `owned`. By default this is the owner alone. */
  readonly asked?: (owner: string) => readonly SqlValue[]
  /** Converts a row to a record. Returns undefined if the data was deleted meanwhile. */
  readonly record: (
    row: Row,
    session: SqlSession,
  ) => StoredRecord | Promise<StoredRecord | undefined>
}

const OWNED = 'owner = ?'
const RUN_OF = 'JOIN runs ON runs.id = run_id'

/** The tables in the order of an export: parents come before their children. */
const TABLES: readonly Table[] = [
  {
    text: 'SELECT * FROM conversations',
    order: ['owner', 'id'],
    owned: OWNED,
    record: (row) => ({ type: 'conversation', conversation: conversationIn(row) }),
  },
  {
    text: 'SELECT * FROM entries',
    order: ['owner', 'conversation_id', 'seq'],
    owned: OWNED,
    record: entryRecord,
  },
  {
    text: 'SELECT * FROM runs',
    order: ['id'],
    owned: OWNED,
    record: runRecord,
  },
  {
    text: `SELECT events.* FROM events ${RUN_OF}`,
    order: ['events.run_id', 'events.seq'],
    owned: 'runs.owner = ?',
    record: (row) => ({ type: 'event', event: jsonIn(row['event']) }),
  },
  {
    text: 'SELECT * FROM approvals',
    order: ['run_id', 'position'],
    owned: OWNED,
    record: (row) => ({ type: 'approval', approval: approvalIn(row) }),
  },
  {
    text: `SELECT shared_values.* FROM shared_values ${RUN_OF}`,
    order: ['shared_values.run_id', 'shared_values.key'],
    owned: 'runs.owner = ?',
    record: (row) => ({ type: 'shared', runId: String(row['run_id']), shared: sharedIn(row) }),
  },
  {
    text: 'SELECT files.*, bytes FROM files JOIN blobs ON blobs.hash = files.hash',
    order: ['files.owner', 'files.hash', 'files.conversation_id'],
    owned: 'files.owner = ?',
    page: FILE_PAGE,
    record: fileRecord,
  },
  {
    text: 'SELECT * FROM settings',
    order: ['owner'],
    owned: OWNED,
    record: (row) => ({
      type: 'settings',
      owner: String(row['owner']),
      layer: jsonIn(row['layer']),
    }),
  },
  {
    text: 'SELECT * FROM agents',
    order: ['owner', 'id'],
    owned: OWNED,
    record: (row) => ({ type: 'agent', agent: agentIn(row) }),
  },
  {
    text: 'SELECT * FROM documents',
    order: ['owner', 'kind', 'name'],
    owned: OWNED,
    record: (row) => ({ type: 'document', document: documentIn(row) }),
  },
  {
    text: 'SELECT * FROM plugin_values',
    order: ['conversation_id', 'plugin', 'key'],
    owned: '(conversation_id = ? OR substr(conversation_id, 1, length(?)) = ?)',
    asked: (owner) => {
      const prefix = conversationKey(owner, '')
      return [ownerKey(owner), prefix, prefix]
    },
    record: valueRecord,
  },
]

async function entryRecord(row: Row, session: SqlSession): Promise<StoredRecord | undefined> {
  const entry = await entryIn(session, row)
  if (!entry) return undefined
  const conversationId = String(row['conversation_id'])
  return { type: 'entry', owner: String(row['owner']), conversationId, entry }
}

async function runRecord(row: Row, session: SqlSession): Promise<StoredRecord | undefined> {
  const run = await runIn(session, row)
  if (!run) return undefined
  const { idempotency_key: key } = row
  return { type: 'run', run, ...(key === null ? {} : { idempotencyKey: String(key) }) }
}

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

async function fileRecord(row: Row, session: SqlSession): Promise<StoredRecord | undefined> {
  const file = await fileIn(session, row)
  if (!file) return undefined
  const conversationId = String(row['conversation_id'])
  return {
    type: 'file',
    owner: String(row['owner']),
    ...(conversationId === '' ? {} : { conversationId }),
    file: { ...file, bytes: Buffer.from(file.bytes).toString('base64') },
  }
}

/**
 * Yields all records, of one owner or of all, as they are at one moment: a record whose parent was stored later could
 * not be imported. Only one page of rows is in memory at a time.
 */
export async function* recordsOf(
  database: SqlDatabase,
  owner?: string,
): AsyncGenerator<StoredRecord, void, undefined> {
  const snapshot = await database.snapshot()
  try {
    for (const table of TABLES) yield* recordsIn(snapshot, table, owner)
  } finally {
    await snapshot.end()
  }
}

async function* recordsIn(
  session: SqlSession,
  table: Table,
  owner: string | undefined,
): AsyncGenerator<StoredRecord, void, undefined> {
  for (let last: Row | undefined; ; ) {
    const rows = await pageOf(session, table, { owner, last })
    for (const row of rows) {
      const record = await table.record(row, session)
      if (record) yield record
    }
    last = rows.at(-1)
    if (rows.length < (table.page ?? PAGE)) return
  }
}

function pageOf(
  session: SqlSession,
  { text, order, owned, page = PAGE, asked = (of) => [of] }: Table,
  { owner, last }: { readonly owner: string | undefined; readonly last: Row | undefined },
): Promise<readonly Row[]> {
  const columns = order.join(', ')
  const conditions = [
    ...(owner === undefined ? [] : [owned]),
    ...(last ? [`(${columns}) > (${order.map(() => '?').join(', ')})`] : []),
  ]
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const place = last ? order.map((column) => last[plainName(column)] as SqlValue) : []
  const values = [...(owner === undefined ? [] : asked(owner)), ...place, page]
  return session.query(`${text} ${where} ORDER BY ${columns} LIMIT ?`, values)
}

function plainName(column: string): string {
  return column.slice(column.indexOf('.') + 1)
}
