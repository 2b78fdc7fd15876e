import { randomUUID } from 'node:crypto'
import type { Storage } from '@braidwork/agent'
import { sqlAgents } from './agents.ts'
import { sqlApprovals } from './approvals.ts'
import { SqlConversations } from './conversations.ts'
import { sqlCounters } from './counters.ts'
import type { SqlDatabase, SqlSession } from './database.ts'
import { sqlDocuments } from './documents.ts'
import { recordsOf } from './export-records.ts'
import { sqlFiles } from './files.ts'
import { takeRecords } from './import-records.ts'
import { migrate } from './migrations.ts'
import { sqlOwners } from './owners.ts'
import { SqlRuns } from './runs.ts'
import { sqlSettings } from './settings.ts'
import { sqlSharedValues } from './shared-values.ts'
import type { SqlTypes } from './sql-types.ts'
import { sqlTokens } from './tokens.ts'
import { usageOf } from './usage.ts'
import { sqlValues } from './values.ts'

/**
 * Creates a storage on a database and updates the database's schema. @throws {HostError} STORAGE_FAILED,
 * STORAGE_NEWER
 */
export async function sqlStorage(database: SqlDatabase, types: SqlTypes): Promise<Storage> {
  try {
    await migrate(database, types)
  } catch (error) {
    await database.close()
    throw error
  }
  const conversations = new SqlConversations(database, types.position)
  const parts = {
    conversations,
    files: sqlFiles(database),
    settings: sqlSettings(database),
    agents: sqlAgents(database),
    documents: sqlDocuments(database),
    tokens: sqlTokens(database),
  }
  return {
    ...parts,
    owners: sqlOwners(database, parts),
    runs: new SqlRuns(database, conversations),
    approvals: sqlApprovals(database),
    counters: sqlCounters(database),
    shared: sqlSharedValues(database),
    storageOf: (plugin, conversationId) => sqlValues(database, plugin, conversationId),
    usage: (owner) => usageOf(database, owner),
    exportRecords: (owner) => recordsOf(database, owner),
    importRecords: (records) => takeRecords(database, records),
    compact: () => database.compact(),
    check: () => database.transaction(tryWriting),
    close: () => database.close(),
  }
}

/** Inserts a row and deletes it again, because a full, locked or read-only database could still be read. */
async function tryWriting(session: SqlSession): Promise<void> {
  const name = randomUUID()
  await session.query(
    `INSERT INTO documents (owner, kind, name, content, updated_at) VALUES ('', 'check', ?, 'null', 0)`,
    [name],
  )
  await session.query(`DELETE FROM documents WHERE owner = '' AND kind = 'check' AND name = ?`, [
    name,
  ])
}

export {
  assertKept,
  type Row,
  type Snapshot,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
} from './database.ts'
export { isMade } from './migrations.ts'
export type { SqlTypes } from './sql-types.ts'
