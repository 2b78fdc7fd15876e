import type { Storage, StoredRecord } from '@braidwork/agent'
import { parentMissing, parentOf, readRecords } from '@braidwork/agent/internal'
import { codeOf } from '@braidwork/core/internal'
import { agentRow } from './agents.ts'
import { insertApproval } from './approvals.ts'
import { conversationRow } from './conversation-row.ts'
import type { NewRow, SqlDatabase, SqlSession, SqlValue } from './database.ts'
import { documentRow } from './documents.ts'
import { entryRow } from './entry-row.ts'
import { insertFile } from './files.ts'
import { ENTRY_CONTENT, insertPieces, type LongText, piecesOf, RUN_ORDER } from './long-texts.ts'
import { RecordTally } from './record-tally.ts'
import { eventRow } from './run-events.ts'
import { runRow } from './run-row.ts'
import { insertSearchTexts } from './search-texts.ts'
import { sharedRow } from './shared-values.ts'

/** The limits of one transaction: the number of records, and the number of base64 characters of files. */
const AT_ONCE = 500
const MOST_CHARACTERS = 16 << 20

/** The error codes of SQLite and PostgreSQL for a foreign key without a matching row. */
const NO_PARENT: readonly unknown[] = ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503']

/**
 * Imports records in batches of some hundreds. Returns the number of new ones.
 * @throws {HostError} REQUEST_INVALID as `Storage.importRecords` says
 */
export async function takeRecords(
  database: SqlDatabase,
  records: Parameters<Storage['importRecords']>[0],
): Promise<number> {
  let count = 0
  let some: StoredRecord[] = []
  let characters = 0
  const flush = async () => {
    const taken = some
    some = []
    characters = 0
    count += await database.transaction((session) => takeAll(session, taken))
  }
  for await (const record of readRecords(records)) {
    some.push(record)
    if (record.type === 'file') characters += record.file.bytes.length
    if (some.length === AT_ONCE || characters > MOST_CHARACTERS) await flush()
  }
  if (some.length > 0) await flush()
  return count
}

async function takeAll(session: SqlSession, records: readonly StoredRecord[]): Promise<number> {
  const tally = new RecordTally()
  let count = 0
  for (const [index, record] of records.entries()) {
    try {
      if (!(await takeRecord(session, record, index))) continue
      tally.add(record)
      count++
    } catch (error) {
      const parent = parentOf(record)
      throw parent && isParentMissing(error) ? parentMissing(record, parent) : error
    }
  }
  await tally.charge(session)
  return count
}

function isParentMissing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return NO_PARENT.includes(codeOf(cause))
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
  const [table, whole] = rowOf(record)
  const { row, rest } = inPieces(whole, LONG_TEXTS[table])
  const columns = Object.keys(row)
  const rows = await session.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
      ON CONFLICT DO NOTHING RETURNING 1 AS taken`,
    Object.values(row),
  )
  const long = LONG_TEXTS[table]
  if (long && rows.length > 0) {
    const of = long.key.map((column) => row[column] as SqlValue)
    await insertPieces(session, long, of, rest)
  }
  if (record.type === 'entry' && rows.length > 0) {
    await insertSearchTexts(session, [record.owner, record.conversationId], [record.entry])
  }
  return rows.length > 0
}

/** The long-text column of each table that has one. */
const LONG_TEXTS: { readonly [table: string]: LongText } = {
  entries: ENTRY_CONTENT,
  runs: RUN_ORDER,
}

/** Splits off the pieces of a row's long text that follow the first one. */
function inPieces(
  row: NewRow,
  long: LongText | undefined,
): { readonly row: NewRow; readonly rest: readonly string[] } {
  if (!long) return { row, rest: [] }
  const [first, ...rest] = piecesOf(String(row[long.column]))
  return { row: { ...row, [long.column]: first, pieces: rest.length }, rest }
}

type Insertable = Exclude<StoredRecord, { readonly type: 'approval' | 'file' }>

function rowOf(record: Insertable): readonly [table: string, row: NewRow] {
  switch (record.type) {
    case 'conversation':
      return ['conversations', conversationRow(record.conversation)]
    case 'entry':
      return ['entries', entryRow([record.owner, record.conversationId], record.entry)]
    case 'run':
      return ['runs', runRow(record.run, record.idempotencyKey)]
    case 'event':
      return ['events', { ...eventRow(record.event, JSON.stringify(record.event)) }]
    case 'settings':
      return [
        'settings',
        { owner: record.owner, layer: JSON.stringify(record.layer), updated_at: 0 },
      ]
    case 'agent':
      return ['agents', agentRow(record.agent)]
    case 'value': {
      const { plugin, conversationId: conversation_id = '', key, value } = record
      return ['plugin_values', { conversation_id, plugin, key, value: JSON.stringify(value) }]
    }
    case 'shared':
      return ['shared_values', sharedRow(record.runId, record.shared)]
    case 'document':
      return ['documents', documentRow(record.document)]
  }
}
