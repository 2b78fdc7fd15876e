import type { DocumentKind, DocumentStorage, StoredDocument } from '../../agent/storage/index.ts'
import { byName } from '../by-name.ts'
import { jsonIn, type NewRow, type Row, type SqlDatabase } from './database.ts'

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
    save: async (document) => {
      await database.query(
        `INSERT INTO documents (owner, kind, name, content, updated_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (owner, kind, name) DO UPDATE SET content = excluded.content,
            updated_at = excluded.updated_at`,
        Object.values(documentRow(document)),
      )
    },
    delete: async (owner, kind, name) => {
      const rows = await database.query(
        'DELETE FROM documents WHERE owner = ? AND kind = ? AND name = ? RETURNING name',
        [owner, kind, name],
      )
      return rows.length > 0
    },
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

/** What {@link documentIn} reads, in the order of the table's columns. */
export function documentRow({ owner, kind, name, content, updatedAt }: StoredDocument): NewRow {
  return { owner, kind, name, content: JSON.stringify(content), updated_at: updatedAt }
}
