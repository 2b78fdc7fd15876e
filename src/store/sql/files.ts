import { type FileStorage, hashOf, type StoredFile } from '@braidwork/agent/internal'
import { bytesIn, deleteBlob, insertBlob, lockBlob, lockBlobsOf, wholeBlob } from './blobs.ts'
import { ifPresent, type Row, type SqlDatabase, type SqlSession } from './database.ts'
import { lockedAt } from './locked-conversation.ts'
import { charge, sizeIn } from './usage.ts'

const WITHIN = ' AND conversation_id = ?'

export function sqlFiles(database: SqlDatabase): FileStorage {
  return {
    put: (owner, file, conversationId = '', createdAt) =>
      database.transaction(async (session) => {
        if (createdAt !== undefined) await lockedAt(session, [owner, conversationId], createdAt)
        return putFile(session, file, [owner, conversationId])
      }),
    count: (owner, conversationId) =>
      sizeIn(
        database,
        'SELECT count(*) AS size FROM files WHERE owner = ? AND conversation_id = ?',
        [owner, conversationId],
      ),
    share: (owner, from, to) =>
      database.transaction(async (session) => {
        await lockBlobsOf(session, [owner, from])
        const shared = await session.query(
          `INSERT INTO files (owner, hash, conversation_id, media_type, name, size)
            SELECT owner, hash, ?, media_type, name, size FROM files
              WHERE owner = ? AND conversation_id = ?
            ON CONFLICT (owner, hash, conversation_id) DO NOTHING RETURNING size`,
          [to, owner, from],
        )
        const bytes = shared.reduce((sum, { size }) => sum + Number(size), 0)
        await charge(session, owner, { bytes, files: shared.length })
      }),
    has: async (owner, hash, conversationId) => {
      const [within, ids] = placeOf(conversationId)
      const rows = await database.query(
        `SELECT hash FROM files WHERE owner = ? AND hash = ?${within} LIMIT 1`,
        [owner, hash, ...ids],
      )
      return rows.length > 0
    },
    load: async (owner, hash, conversationId) => {
      const [within, ids] = placeOf(conversationId)
      const [row] = await database.query(
        `SELECT files.hash AS hash, media_type, name, size, bytes FROM files
          JOIN blobs ON blobs.hash = files.hash WHERE owner = ? AND files.hash = ?${within} LIMIT 1`,
        [owner, hash, ...ids],
      )
      return row && fileIn(database, row)
    },
    delete: async (owner, hash) => {
      const isDeleted = await database.transaction((session) => deleteFile(session, owner, hash))
      database.reclaim()
      return isDeleted
    },
  }
}

async function putFile(
  session: SqlSession,
  file: Omit<StoredFile, 'hash'>,
  place: readonly [owner: string, conversationId: string],
): Promise<string> {
  const hash = hashOf(file.bytes)
  if (await insertFile(session, { ...file, hash }, place)) {
    await charge(session, place[0], { bytes: file.bytes.byteLength, files: 1 })
  }
  return hash
}

function placeOf(
  conversationId: string | undefined,
): readonly [condition: string, values: readonly string[]] {
  return conversationId === undefined ? ['', []] : [WITHIN, [conversationId]]
}

async function deleteFile(session: SqlSession, owner: string, hash: string): Promise<boolean> {
  await lockBlob(session, hash)
  const rows = await session.query(
    'DELETE FROM files WHERE owner = ? AND hash = ? RETURNING size',
    [owner, hash],
  )
  await deleteBlob(session, hash)
  const bytes = rows.reduce((sum, { size }) => sum + Number(size), 0)
  await charge(session, owner, { bytes: -bytes, files: -rows.length })
  return rows.length > 0
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
  await insertBlob(session, hash, bytes)
  const rows = await session.query(
    `INSERT INTO files (owner, hash, conversation_id, media_type, name, size)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner, hash, conversation_id) DO NOTHING RETURNING hash`,
    [owner, hash, conversationId, mediaType, name, bytes.byteLength],
  )
  return rows.length > 0
}

/** Reads the file of a row that holds its first piece. Returns undefined if the file was deleted meanwhile. */
export async function fileIn(session: SqlSession, row: Row): Promise<StoredFile | undefined> {
  const hash = String(row['hash'])
  const known = { first: bytesIn(row['bytes']), size: Number(row['size']) }
  const bytes = await wholeBlob(session, hash, known)
  if (!bytes) return undefined
  return {
    hash,
    mediaType: String(row['media_type']),
    ...ifPresent('name', row['name'], String),
    bytes,
  }
}
