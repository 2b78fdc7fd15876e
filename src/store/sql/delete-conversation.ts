import { conversationKey } from '@braidwork/agent'
import { deleteBlob, lockBlobsOf } from './blobs.ts'
import type { SqlSession } from './database.ts'
import { nextSeq, type Place } from './entries.ts'
import { deleteTrees } from './run-tree.ts'
import { deleteSearchTexts } from './search-texts.ts'
import { charge, sizeIn } from './usage.ts'

/** The number of entries deleted per statement. */
const AT_ONCE = 1000

/** Deletes a conversation and everything that belongs to it, in small steps. */
export async function deleteConversation(session: SqlSession, place: Place): Promise<void> {
  const runs = await deleteRuns(session, place)
  await deleteSearchTexts(session, place)
  await deleteEntries(session, place)
  const files = await deleteFiles(session, place)
  const values = await sizeIn(
    session,
    'DELETE FROM plugin_values WHERE conversation_id = ? RETURNING octet_length(value) AS size',
    [conversationKey(...place)],
  )
  const own = await sizeIn(
    session,
    'DELETE FROM conversations WHERE owner = ? AND id = ? RETURNING bytes AS size',
    place,
  )
  await charge(session, place[0], {
    bytes: -(runs + files.bytes + values + own),
    conversations: -1,
    files: -files.count,
  })
}

/** Deletes the runs of a conversation, and those below them. Returns the bytes that were charged for them. */
async function deleteRuns(session: SqlSession, place: Place): Promise<number> {
  const runs = await session.query(
    'SELECT id FROM runs WHERE owner = ? AND conversation_id = ?',
    place,
  )
  return deleteTrees(
    session,
    runs.map(({ id }) => String(id)),
  )
}

async function deleteEntries(session: SqlSession, place: Place): Promise<void> {
  const end = await nextSeq(session, place)
  for (let seq = 0; seq < end; seq += AT_ONCE) {
    await session.query(
      'DELETE FROM entries WHERE owner = ? AND conversation_id = ? AND seq >= ? AND seq < ?',
      [...place, seq, seq + AT_ONCE],
    )
  }
}

async function deleteFiles(
  session: SqlSession,
  place: Place,
): Promise<{ readonly bytes: number; readonly count: number }> {
  await lockBlobsOf(session, place)
  const files = await session.query(
    'DELETE FROM files WHERE owner = ? AND conversation_id = ? RETURNING hash, size',
    place,
  )
  for (const { hash } of files) await deleteBlob(session, String(hash))
  const bytes = files.reduce((sum, { size }) => sum + Number(size), 0)
  return { bytes, count: files.length }
}
