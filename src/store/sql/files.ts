import type { FileStorage, StoredFile } from '../../agent/storage/index.ts'
import { hashOf } from '../file-hash.ts'
import { ifPresent, type Row, type SqlDatabase, type SqlSession } from './database.ts'

export function sqlFiles(database: SqlDatabase): FileStorage {
  return {
    put: (owner, file, conversationId = '') =>
      database.transaction(async (session) => {
        const hash = hashOf(file.bytes)
        await insertFile(session, { ...file, hash }, [owner, conversationId])
        return hash
      }),
    load: async (owner, hash) => {
      const [row] = await database.query(
        `SELECT files.hash AS hash, media_type, name, bytes FROM files
          JOIN blobs ON blobs.hash = files.hash WHERE owner = ? AND files.hash = ? LIMIT 1`,
        [owner, hash],
      )
      return row && fileIn(row)
    },
    delete: (owner, hash) =>
      database.transaction(async (session) => {
        const rows = await session.query(
          'DELETE FROM files WHERE owner = ? AND hash = ? RETURNING hash',
          [owner, hash],
        )
        await session.query(
          'DELETE FROM blobs WHERE hash = ? AND hash NOT IN (SELECT hash FROM files)',
          [hash],
        )
        return rows.length > 0
      }),
  }
}

export async function insertFile(
  session: SqlSession,
  {
    hash,
    bytes,
    mediaType,
    name = null,
  }: Omit<StoredFile, 'name'> & { readonly name?: string | null },
  [owner, conversationId]: readonly [owner: string, conversationId: string],
): Promise<boolean> {
  await session.query('INSERT INTO blobs (hash, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING', [
    hash,
    bytes,
  ])
  const rows = await session.query(
    `INSERT INTO files (owner, hash, conversation_id, media_type, name) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner, hash, conversation_id) DO NOTHING RETURNING hash`,
    [owner, hash, conversationId, mediaType, name],
  )
  return rows.length > 0
}

export function fileIn(row: Row): StoredFile {
  return {
    hash: String(row['hash']),
    mediaType: String(row['media_type']),
    ...ifPresent('name', row['name'], String),
    // One driver gives a buffer, another a view.
    bytes: new Uint8Array(row['bytes'] as ArrayBuffer | Uint8Array),
  }
}
