import { HostError } from '@braidwork/plugin'
import type { SqlDatabase, SqlSession } from './database.ts'
import { STEPS } from './schema-steps.ts'
import type { SqlTypes } from './sql-types.ts'

/**
 * Migrates a database to this version's schema. There is no way back.
 * @throws {HostError} STORAGE_NEWER if a newer version has migrated the database; STORAGE_FAILED
 */
export async function migrate(database: SqlDatabase, types: SqlTypes): Promise<void> {
  await database.transaction(async (session) => {
    if (types.lock !== undefined) await session.query(types.lock)
    const hadTables = await isMade(session, types)
    await session.query('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
    const version = await versionOf(session, hadTables)
    if (version > STEPS.length) {
      throw new HostError(
        'STORAGE_NEWER',
        `The database has schema version ${version}, and this braidwork supports versions up to ${STEPS.length}. A newer braidwork has written it: use that version, or another storage.`,
      )
    }
    for (const step of STEPS.slice(version)) {
      for (const statement of step(types)) await session.query(statement)
    }
    await session.query('DELETE FROM schema_version')
    await session.query('INSERT INTO schema_version (version) VALUES (?)', [STEPS.length])
  })
}

/** Whether a database has the tables of a storage. */
export async function isMade(session: SqlSession, { tables }: SqlTypes): Promise<boolean> {
  return (await session.query(tables)).some(({ name }) => name === 'conversations')
}

async function versionOf(session: SqlSession, hadTables: boolean): Promise<number> {
  const [row] = await session.query('SELECT version FROM schema_version')
  if (row === undefined && !hadTables) return 0
  if (row === undefined) {
    const message = 'The schema version of the database is lost. Restore a backup.'
    throw new HostError('STORAGE_FAILED', message, { retryable: false })
  }
  const { version } = row
  if (typeof version === 'number' && Number.isInteger(version) && version > 0) return version
  throw new HostError(
    'STORAGE_FAILED',
    `The schema version of the database is ${JSON.stringify(version)?.slice(0, 100)}, which no braidwork has written. Restore a backup.`,
    { retryable: false },
  )
}
