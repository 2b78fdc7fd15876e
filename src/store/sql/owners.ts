import type { Storage } from '@braidwork/agent'
import {
  type DocumentKind,
  type OwnerStorage,
  ownerKey,
  ownerOfKey,
} from '@braidwork/agent/internal'
import { callerKey } from '@braidwork/core/internal'
import type { Row, SqlDatabase, SqlValue } from './database.ts'
import { deleteTrees } from './run-tree.ts'

/** How many conversations and runs are found at once. */
const AT_ONCE = 100
/** The values for an owner, and for the conversations of one, also for those that were never stored. */
const VALUES = 'plugin_values WHERE conversation_id IN (?, ?) OR substr(conversation_id, 1, ?) = ?'

type Parts = Pick<
  Storage,
  'conversations' | 'files' | 'settings' | 'agents' | 'documents' | 'tokens'
>

export function sqlOwners(database: SqlDatabase, parts: Parts): OwnerStorage {
  const count = async (text: string, values: readonly SqlValue[]): Promise<number> => {
    const [row] = await database.query(`SELECT count(*) AS number FROM ${text}`, values)
    return Number(row?.['number'] ?? 0)
  }
  return {
    count: async (owner) => ({
      conversations: await count('conversations WHERE owner = ?', [owner]),
      runs: await count('runs WHERE owner = ?', [owner]),
      files: (await hashesOf(database, owner)).length,
      values: await count(VALUES, valuesOf(owner)),
      settings: await count('settings WHERE owner = ?', [owner]),
      agents: await count('agents WHERE owner = ?', [owner]),
      documents: await count('documents WHERE owner = ?', [owner]),
      tokens: (await tokensOf(parts, owner)).length,
    }),
    forget: async (owner) => {
      for (const id of await tokensOf(parts, owner)) await parts.tokens.delete(id)
      await deleteConversations(database, parts, owner)
      await deleteRuns(database, owner)
      for (const hash of await hashesOf(database, owner)) await parts.files.delete(owner, hash)
      await deleteRest(database, parts, owner)
      database.reclaim()
    },
  }
}

function valuesOf(owner: string): readonly SqlValue[] {
  const key = ownerKey(owner)
  const prefix = `${key}/`
  // Databases count characters, not code units.
  return [key, callerKey(owner), [...prefix].length, prefix]
}

async function hashesOf(database: SqlDatabase, owner: string): Promise<readonly string[]> {
  const rows = await database.query('SELECT DISTINCT hash FROM files WHERE owner = ?', [owner])
  return rows.map(({ hash }) => String(hash))
}

async function tokensOf({ tokens }: Parts, owner: string): Promise<readonly string[]> {
  const all = await tokens.list()
  return all.flatMap(({ id, identity }) => (identity['id'] === owner ? id : []))
}

/** Each conversation is deleted in a transaction of its own, so that servers wait for none of them long. */
async function deleteConversations(
  database: SqlDatabase,
  { conversations }: Parts,
  owner: string,
): Promise<void> {
  const text = 'SELECT id FROM conversations WHERE owner = ? LIMIT ?'
  const next = () => database.query(text, [owner, AT_ONCE])
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    for (const { id } of rows) await conversations.delete(owner, String(id))
  }
}

/** Deletes the runs that belong to no conversation. */
async function deleteRuns(database: SqlDatabase, owner: string): Promise<void> {
  const text = 'SELECT id FROM runs WHERE owner = ? LIMIT ?'
  const next = () => database.query(text, [owner, AT_ONCE])
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    const ids = rows.map(({ id }) => String(id))
    await database.transaction((session) => deleteTrees(session, ids))
  }
}

async function deleteRest(
  database: SqlDatabase,
  { settings, agents, documents }: Parts,
  owner: string,
): Promise<void> {
  await settings.delete(owner)
  for (const { id } of await agents.list(owner)) await agents.delete(owner, id)
  const rows: readonly Row[] = await database.query(
    'SELECT kind, name FROM documents WHERE owner = ?',
    [owner],
  )
  for (const { kind, name } of rows) {
    await documents.delete(owner, String(kind) as DocumentKind, String(name))
  }
  await database.transaction(async (session) => {
    await session.query(`DELETE FROM ${VALUES}`, valuesOf(owner))
    const owners = [owner, ownerOfKey(callerKey(owner))]
    await session.query('DELETE FROM usage WHERE owner IN (?, ?)', owners)
  })
}
