import { HostError } from '../../errors.ts'
import type { SqlDatabase, SqlSession } from './database.ts'

/** Words that differ between databases. */
export interface SqlTypes {
  readonly bytes: 'BLOB' | 'BYTEA'
  readonly integer: 'INTEGER' | 'BIGINT'
  /** What keeps other processes from changing the schema until the transaction ends, where that needs a word. */
  readonly lock?: string
}

/** Each step leads from one version of the schema to the next; none is ever changed, or taken back. */
const STEPS: readonly ((types: SqlTypes) => readonly string[])[] = [
  ({ bytes, integer }) => [
    `CREATE TABLE conversations (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, agent TEXT NOT NULL, sender TEXT NOT NULL,
      title TEXT, head TEXT, metadata TEXT NOT NULL,
      created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
    'CREATE INDEX conversations_of ON conversations (owner, updated_at, id)',
    `CREATE TABLE entries (
      conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
      id TEXT NOT NULL, parent TEXT, seq ${integer} NOT NULL, run_id TEXT,
      kind TEXT NOT NULL, content TEXT NOT NULL, created_at ${integer} NOT NULL,
      PRIMARY KEY (conversation_id, id))`,
    `CREATE TABLE runs (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL,
      conversation_id TEXT REFERENCES conversations (id) ON DELETE CASCADE,
      status TEXT NOT NULL, facts TEXT NOT NULL, idempotency_key TEXT,
      started_at ${integer} NOT NULL, ended_at ${integer}, pruned_at ${integer},
      next_seq ${integer} NOT NULL, leg_seq ${integer} NOT NULL,
      holder TEXT, lease_until ${integer}, UNIQUE (owner, idempotency_key))`,
    // Two processes that begin a run in one conversation at once: one of them is told that it is busy.
    `CREATE UNIQUE INDEX runs_active ON runs (conversation_id) WHERE status = 'active'`,
    'CREATE INDEX runs_of ON runs (conversation_id, started_at)',
    'CREATE INDEX runs_ended ON runs (ended_at) WHERE pruned_at IS NULL',
    `CREATE TABLE events (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      seq ${integer} NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (run_id, seq))`,
    `CREATE TABLE approvals (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL,
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position ${integer} NOT NULL, expires_at ${integer} NOT NULL,
      approval TEXT NOT NULL, answer TEXT)`,
    'CREATE INDEX approvals_of ON approvals (run_id, position)',
    `CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes ${bytes} NOT NULL)`,
    `CREATE TABLE files (
      owner TEXT NOT NULL, hash TEXT NOT NULL REFERENCES blobs (hash),
      conversation_id TEXT NOT NULL, media_type TEXT NOT NULL, name TEXT,
      PRIMARY KEY (owner, hash, conversation_id))`,
    'CREATE INDEX files_of ON files (conversation_id)',
    `CREATE TABLE plugin_values (
      conversation_id TEXT NOT NULL, plugin TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (conversation_id, plugin, key))`,
    `CREATE TABLE settings (owner TEXT PRIMARY KEY, layer TEXT NOT NULL, updated_at ${integer} NOT NULL)`,
    `CREATE TABLE agents (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL,
      spec TEXT NOT NULL, updated_at ${integer} NOT NULL, UNIQUE (owner, name))`,
    `CREATE TABLE documents (
      owner TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
      content TEXT NOT NULL, updated_at ${integer} NOT NULL, PRIMARY KEY (owner, kind, name))`,
  ],
]

/**
 * Brings a database to this version's schema, forwards only.
 * @throws {HostError} STORAGE_NEWER where a newer version has written it; STORAGE_FAILED
 */
export async function migrate(database: SqlDatabase, types: SqlTypes): Promise<void> {
  await database.transaction(async (session) => {
    if (types.lock !== undefined) await session.query(types.lock)
    await session.query('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
    const version = await versionOf(session)
    if (version > STEPS.length) {
      throw new HostError(
        'STORAGE_NEWER',
        `The database has version ${version} of the schema, and this is for version ${STEPS.length}: a newer braidwork has written it.`,
      )
    }
    for (const step of STEPS.slice(version)) {
      for (const statement of step(types)) await session.query(statement)
    }
    await session.query('DELETE FROM schema_version')
    await session.query('INSERT INTO schema_version (version) VALUES (?)', [STEPS.length])
  })
}

async function versionOf(session: SqlSession): Promise<number> {
  const [row] = await session.query('SELECT version FROM schema_version')
  return Number(row?.['version'] ?? 0)
}
