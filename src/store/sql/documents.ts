import {
  byName,
  bytesOf,
  type DocumentKind,
  type DocumentStorage,
  type StoredDocument,
} from '@braidwork/agent/internal'
import { jsonIn, type Row, type SqlDatabase } from './database.ts'
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
    load: async (owner, kind, name) => {
      const [row] = await database.query(
        'SELECT * FROM documents WHERE owner = ? AND kind = ? AND name = ?',
        [owner, kind, name],
      )
      return row && documentIn(row)
    },
    save: (document) =>
      database.transaction(async (session) => {
        const { owner, kind, name } = document
        const row = documentRow(document)
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
    delete: (owner, kind, name) =>
      database.transaction(async (session) => {
        const text = `DELETE FROM documents WHERE owner = ? AND kind = ? AND name = ? RETURNING ${SIZE}`
        const size = await sizeIn(session, text, [owner, kind, name])
        await charge(session, owner, { bytes: -size })
        return size > 0
      }),
  }
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
