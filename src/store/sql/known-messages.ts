import { messageIdOf } from '@braidwork/agent/internal'
import { entriesOf, type Reading } from './read-entries.ts'

/** How many ids a statement looks for: always as many, since a prepared statement is kept for each number. */
const AT_ONCE = 16

/**
 * Returns which of some messages a conversation has.
 * @throws {HostError} CONVERSATION_UNKNOWN if the conversation is deleted meanwhile
 */
export async function knownMessages(
  reading: Reading,
  messages: readonly string[],
): Promise<ReadonlySet<string>> {
  if (messages.length > 0 && (await hasOldEntries(reading))) return knownInOld(reading, messages)
  const known = new Set<string>()
  for (let at = 0; at < messages.length; at += AT_ONCE) {
    for (const id of await found(reading, messages.slice(at, at + AT_ONCE))) known.add(id)
  }
  return known
}

async function found({ session, place }: Reading, some: readonly string[]): Promise<string[]> {
  const [owner, conversation] = place
  const ids = Array.from({ length: AT_ONCE }, (_, at) => some[at] ?? (some[0] as string))
  const rows = await session.query(
    `SELECT message_id FROM entries WHERE message_id IN (${ids.map(() => '?').join(', ')})
      AND conversation_id = ? AND owner = ?`,
    [...ids, conversation, owner],
  )
  return rows.map((row) => String(row['message_id']))
}

/** Whether an earlier version has written messages of the conversation, without their ids in a column. */
async function hasOldEntries({ session, place }: Reading): Promise<boolean> {
  const [owner, conversation] = place
  const rows = await session.query(
    `SELECT 1 FROM entries WHERE message_id IS NULL AND kind = 'message'
      AND conversation_id = ? AND owner = ? LIMIT 1`,
    [conversation, owner],
  )
  return rows.length > 0
}

async function knownInOld(
  reading: Reading,
  messages: readonly string[],
): Promise<ReadonlySet<string>> {
  const all = new Set((await entriesOf(reading)).map(messageIdOf))
  return new Set(messages.filter((id) => all.has(id)))
}
