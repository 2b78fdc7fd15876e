import type { SqlDatabase, SqlSession } from './database.ts'

/** Bytes of one row: a database goes through a row in one stretch, and takes several times its bytes meanwhile. */
const PIECE = 64 * 1024
/** Rows that are read in one statement. */
const PAGE = 16

/** Keeps the bytes of a file under their hash, where they are not kept yet. */
export async function insertBlob(
  session: SqlSession,
  hash: string,
  bytes: Uint8Array,
): Promise<void> {
  const added = await session.query(
    'INSERT INTO blobs (hash, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING hash',
    [hash, bytes.subarray(0, PIECE)],
  )
  if (added.length === 0) return
  for (let at = PIECE; at < bytes.byteLength; at += PIECE) {
    await session.query('INSERT INTO blob_pieces (hash, position, bytes) VALUES (?, ?, ?)', [
      hash,
      at,
      bytes.subarray(at, at + PIECE),
    ])
  }
}

/** A file's bytes, of which the first are known already; nothing where they were deleted meanwhile. */
export async function wholeBlob(
  database: SqlDatabase,
  hash: string,
  { first, size }: { readonly first: Uint8Array; readonly size: number },
): Promise<Uint8Array | undefined> {
  if (first.byteLength === size) return first
  const bytes = new Uint8Array(size)
  bytes.set(first)
  let end = first.byteLength
  while (end < size) {
    const rows = await database.query(
      'SELECT bytes FROM blob_pieces WHERE hash = ? AND position >= ? ORDER BY position LIMIT ?',
      [hash, end, PAGE],
    )
    if (rows.length === 0) return undefined
    for (const row of rows) {
      const piece = bytesIn(row['bytes'])
      bytes.set(piece, end)
      end += piece.byteLength
    }
  }
  return bytes
}

/** Deletes the bytes of a file that nobody has any more. */
export async function deleteBlob(session: SqlSession, hash: string): Promise<void> {
  await session.query(
    'DELETE FROM blobs WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM files WHERE files.hash = ?)',
    [hash, hash],
  )
}

/** One driver gives a buffer, another a view. */
export function bytesIn(value: unknown): Uint8Array {
  return new Uint8Array(value as ArrayBuffer | Uint8Array)
}
