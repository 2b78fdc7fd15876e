import type { SharedStorage, SharedValue, SharedWrite } from '@braidwork/agent/internal'
import {
  assertFresh,
  assertRoom,
  assertSharable,
  byKey,
  runUnknown,
  sharedSize,
} from '@braidwork/agent/internal'
import { jsonIn, type NewRow, type Row, type SqlDatabase, type SqlSession } from './database.ts'
import { charge, sizeIn } from './usage.ts'

const OF_RUN = 'run_id = ? AND EXISTS (SELECT 1 FROM runs WHERE id = run_id AND owner = ?)'
const SIZE = 'octet_length(key) + octet_length(value) AS size'

export function sqlSharedValues(database: SqlDatabase): SharedStorage {
  return {
    list: async (owner, runId) => {
      const rows = await database.query(`SELECT * FROM shared_values WHERE ${OF_RUN}`, [
        runId,
        owner,
      ])
      return rows.map(sharedIn).sort(byKey)
    },
    load: async (owner, runId, key) => {
      const text = `SELECT * FROM shared_values WHERE ${OF_RUN} AND key = ?`
      const [row] = await database.query(text, [runId, owner, key])
      return row && sharedIn(row)
    },
    write: (owner, runId, write) => {
      const json = JSON.stringify(write.value ?? null)
      return database.transaction(async (session) => {
        assertSharable(write, json)
        await lockRun(session, owner, runId)
        return writeIn(session, { owner, runId, write, json })
      })
    },
  }
}

/** Keeps other writers of the context out until the transaction ends. @throws {HostError} RUN_UNKNOWN */
async function lockRun(session: SqlSession, owner: string, runId: string): Promise<void> {
  const text = `SELECT id FROM runs WHERE id = ? AND owner = ? ${session.forUpdate}`
  const [row] = await session.query(text, [runId, owner])
  if (!row) throw runUnknown(runId)
}

interface Written {
  readonly owner: string
  readonly runId: string
  readonly write: SharedWrite
  readonly json: string
}

/** @throws {HostError} SHARED_STALE, SHARED_TOO_LARGE */
async function writeIn(
  session: SqlSession,
  { owner, runId, write, json }: Written,
): Promise<SharedValue> {
  const { key, version: read } = write
  const place = [runId, key] as const
  const text = `SELECT version, ${SIZE} FROM shared_values WHERE run_id = ? AND key = ?`
  const [before] = await session.query(text, place)
  assertFresh(write, Number(before?.['version'] ?? 0))
  const rest = `SELECT ${SIZE} FROM shared_values WHERE run_id = ? AND key <> ?`
  assertRoom(write, json, { bytes: await sizeIn(session, rest, place) })
  const written = { ...write, version: read + 1 }
  await session.query(
    `INSERT INTO shared_values (run_id, key, value, version, agent) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (run_id, key) DO UPDATE SET value = excluded.value,
        version = excluded.version, agent = excluded.agent`,
    Object.values(sharedRow(runId, written)) as string[],
  )
  const bytes = sharedSize(key, json) - Number(before?.['size'] ?? 0)
  await session.query('UPDATE runs SET bytes = bytes + ? WHERE id = ?', [bytes, runId])
  await charge(session, owner, { bytes })
  return { ...written, value: JSON.parse(json) }
}

export function sharedIn(row: Row): SharedValue {
  return {
    key: String(row['key']),
    value: jsonIn(row['value']),
    version: Number(row['version']),
    agent: String(row['agent']),
  }
}

/** Converts a value to the row that {@link sharedIn} reads, with the columns in table order. */
export function sharedRow(runId: string, { key, value, version, agent }: SharedValue): NewRow {
  return { run_id: runId, key, value: JSON.stringify(value ?? null), version, agent }
}
