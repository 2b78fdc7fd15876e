import type { SqlSession } from './database.ts'

/**
 * The size of a piece of a file in bytes; each piece is a row. A database processes a row without interruption and
 * needs several times its size in memory meanwhile.
 */
const PIECE = 64 * 1024
/** The number of rows read per statement. */
const PAGE = 16

/** Stores the bytes of a file under their hash, unless they are stored already. Locks them like {@link lockBlob}. */
export async function insertBlob(
  session: SqlSession,
  hash: string,
  bytes: Uint8Array,
): Promise<void> {
  // An update that never happens locks the row that is in the way, which "DO NOTHING" would not.
  const added = await session.query(
    `INSERT INTO blobs (hash, bytes) VALUES (?, ?)
      ON CONFLICT (hash) DO UPDATE SET bytes = excluded.bytes WHERE FALSE RETURNING hash`,
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

/** Reads a whole file whose first piece is known. Returns undefined if the file was deleted meanwhile. */
export async function wholeBlob(
  session: SqlSession,
  hash: string,
  { first, size }: { readonly first: Uint8Array; readonly size: number },
): Promise<Uint8Array | undefined> {
  if (first.byteLength === size) return first
  const bytes = new Uint8Array(size)
  bytes.set(first)
  let end = first.byteLength
  while (end < size) {
    const rows = await session.query(
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

/**
 * Locks the bytes of a file until the transaction ends. Otherwise the bytes could be deleted while another transaction
 * stores a file that refers to them. Call it before any change of `files`: transactions that lock in the same order
 * cannot deadlock.
 */
export async function lockBlob(session: SqlSession, hash: string): Promise<void> {
  await session.query(`SELECT hash FROM blobs WHERE hash = ?${session.forUpdate}`, [hash])
}

/** Locks the bytes of all files of a conversation, like {@link lockBlob}. */
export async function lockBlobsOf(
  session: SqlSession,
  place: readonly [owner: string, conversationId: string],
): Promise<void> {
  await session.query(
    `SELECT hash FROM blobs WHERE hash IN
        (SELECT hash FROM files WHERE owner = ? AND conversation_id = ?)
      ORDER BY hash${session.forUpdate}`,
    place,
  )
}

/** Deletes the bytes of a file if no owner and no conversation has the file any more. */
export async function deleteBlob(session: SqlSession, hash: string): Promise<void> {
  await lockBlob(session, hash)
  await session.query(
    'DELETE FROM blobs WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM files WHERE files.hash = ?)',
    [hash, hash],
  )
}

/** Normalizes a column's bytes: one driver returns an ArrayBuffer, the other a Uint8Array. */
export function bytesIn(value: unknown): Uint8Array {
  return new Uint8Array(value as ArrayBuffer | Uint8Array)
}
