import {
  byName,
  bytesOf,
  type DocumentKind,
  type DocumentStorage,
  type StoredDocument,
} from '@braidwork/agent/internal'
import { jsonIn, type Row, type SqlDatabase, type SqlSession } from './database.ts'
import { charge, sizeIn } from './usage.ts'

const SIZE = 'octet_length(content) AS size'

export function sqlDocuments(database: SqlDatabase): DocumentStorage {
  return {
    list: async (owner, kind) => {
      const rows = await database.query('SELECT * FROM documents WHERE owner = ? AND kind = ?', [
        owner,
        kind,
      ])
      return rows.map(documentIn).sort(byName)
    },
    load: (owner, kind, name) => one(database, [owner, kind, name]),
    save: (document, check) =>
      database.transaction(async (session) => {
        const { owner, kind, name } = document
        const row = documentRow(document)
        if (check) {
          const before = await locked(session, [owner, kind, name])
          check(before)
          if (!before && (await insertDocument(session, row))) return
          // Another transaction has created it since.
          if (!before) check(await locked(session, [owner, kind, name]))
        }
        const text = `SELECT ${SIZE} FROM documents WHERE owner = ? AND kind = ? AND name = ?`
        const size = await sizeIn(session, text, [owner, kind, name])
        await session.query(
          `INSERT INTO documents (owner, kind, name, content, updated_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (owner, kind, name) DO UPDATE SET content = excluded.content,
            updated_at = excluded.updated_at`,
          Object.values(row),
        )
        await charge(session, owner, { bytes: bytesOf(row.content) - size })
      }),
    delete: (owner, kind, name, check) =>
      database.transaction(async (session) => {
        const before = check && (await locked(session, [owner, kind, name]))
        if (before) check(before)
        const text = `DELETE FROM documents WHERE owner = ? AND kind = ? AND name = ? RETURNING ${SIZE}`
        const size = await sizeIn(session, text, [owner, kind, name])
        await charge(session, owner, { bytes: -size })
        return size > 0
      }),
  }
}

type DocumentKey = readonly [owner: string, kind: DocumentKind, name: string]

async function one(
  session: Pick<SqlSession, 'query'>,
  key: DocumentKey,
  suffix = '',
): Promise<StoredDocument | undefined> {
  const text = `SELECT * FROM documents WHERE owner = ? AND kind = ? AND name = ?${suffix}`
  const [row] = await session.query(text, key)
  return row && documentIn(row)
}

/** A stored document, which nobody else changes before the end of the transaction. */
function locked(session: SqlSession, key: DocumentKey): Promise<StoredDocument | undefined> {
  return one(session, key, session.forUpdate)
}

/** Inserts a document. Returns false if there is one. Waits for another transaction that creates it. */
async function insertDocument(
  session: SqlSession,
  row: ReturnType<typeof documentRow>,
): Promise<boolean> {
  const inserted = await session.query(
    `INSERT INTO documents (owner, kind, name, content, updated_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner, kind, name) DO NOTHING RETURNING name`,
    Object.values(row),
  )
  if (inserted.length === 0) return false
  await charge(session, row.owner, { bytes: bytesOf(row.content) })
  return true
}

export function documentIn(row: Row): StoredDocument {
  return {
    owner: String(row['owner']),
    kind: String(row['kind']) as DocumentKind,
    name: String(row['name']),
    content: jsonIn(row['content']),
    updatedAt: Number(row['updated_at']),
  }
}

/** Converts a document to the row that {@link documentIn} reads, with the columns in table order. */
export function documentRow({ owner, kind, name, content, updatedAt }: StoredDocument) {
  return { owner, kind, name, content: JSON.stringify(content), updated_at: updatedAt }
}
