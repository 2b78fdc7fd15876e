import {
  type AgentStorage,
  agentNameTaken,
  agentUnknown,
  byName,
  bytesOf,
  type StoredAgent,
} from '@braidwork/agent/internal'
import { jsonIn, type Row, type SqlDatabase, type SqlSession } from './database.ts'
import { charge, sizeIn } from './usage.ts'

const SIZE = 'octet_length(spec) AS size'

export function sqlAgents(database: SqlDatabase): AgentStorage {
  const claim = async (session: SqlSession, owner: string, name: string, id: string) => {
    const other = await one(session, 'name', [owner, name])
    if (other && other.id !== id) throw agentNameTaken(name)
  }
  return {
    list: async (owner) => {
      const rows = await database.query('SELECT * FROM agents WHERE owner = ?', [owner])
      return rows.map(agentIn).sort(byName)
    },
    load: (owner, id) => one(database, 'id', [owner, id]),
    loadByName: (owner, name) => one(database, 'name', [owner, name]),
    upsert: (agent, check) =>
      database.transaction(async (session) => {
        const { owner, id, name } = agent
        const before = await locked(session, owner, id)
        check?.(before)
        await claim(session, owner, name, id)
        if (!before && (await insertAgent(session, agent))) return
        // Another transaction has created it since.
        if (!before) check?.(await locked(session, owner, id))
        await upsertAgent(session, agent)
      }),
    rename: (owner, id, to, check) =>
      database.transaction(async (session) => {
        const agent = await locked(session, owner, id)
        if (!agent) throw agentUnknown(id)
        check?.(agent)
        await claim(session, owner, to.name, id)
        await upsertAgent(session, { ...agent, ...to })
      }),
    delete: (owner, id, check) =>
      database.transaction(async (session) => {
        const before = check && (await locked(session, owner, id))
        if (before) check(before)
        const text = `DELETE FROM agents WHERE owner = ? AND id = ? RETURNING ${SIZE}`
        const size = await sizeIn(session, text, [owner, id])
        await charge(session, owner, { bytes: -size })
        return size > 0
      }),
  }
}

async function one(
  session: Pick<SqlSession, 'query'>,
  column: 'id' | 'name',
  key: readonly [owner: string, value: string],
): Promise<StoredAgent | undefined> {
  const text = `SELECT * FROM agents WHERE owner = ? AND ${column} = ?`
  const [row] = await session.query(text, key)
  return row && agentIn(row)
}

/** A stored agent, which nobody else changes before the end of the transaction. */
async function locked(
  session: SqlSession,
  owner: string,
  id: string,
): Promise<StoredAgent | undefined> {
  const text = `SELECT * FROM agents WHERE owner = ? AND id = ?${session.forUpdate}`
  const [row] = await session.query(text, [owner, id])
  return row && agentIn(row)
}

/** Inserts an agent. Returns false if there is one. Waits for another transaction that creates it. */
async function insertAgent(session: SqlSession, agent: StoredAgent): Promise<boolean> {
  const row = agentRow(agent)
  const inserted = await session.query(
    `INSERT INTO agents (id, owner, name, spec, updated_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner, id) DO NOTHING RETURNING id`,
    Object.values(row),
  )
  if (inserted.length === 0) return false
  await charge(session, agent.owner, { bytes: bytesOf(row.spec) })
  return true
}

async function upsertAgent(session: SqlSession, agent: StoredAgent): Promise<void> {
  const row = agentRow(agent)
  const size = await sizeIn(session, `SELECT ${SIZE} FROM agents WHERE owner = ? AND id = ?`, [
    agent.owner,
    agent.id,
  ])
  await session.query(
    `INSERT INTO agents (id, owner, name, spec, updated_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner, id) DO UPDATE SET name = excluded.name, spec = excluded.spec,
        updated_at = excluded.updated_at`,
    Object.values(row),
  )
  await charge(session, agent.owner, { bytes: bytesOf(row.spec) - size })
}

/** Converts an agent to the row that {@link agentIn} reads, with the columns in table order. */
export function agentRow({ id, owner, name, spec, updatedAt }: StoredAgent) {
  return { id, owner, name, spec: JSON.stringify(spec), updated_at: updatedAt }
}

export function agentIn(row: Row): StoredAgent {
  return {
    id: String(row['id']),
    owner: String(row['owner']),
    name: String(row['name']),
    spec: jsonIn(row['spec']),
    updatedAt: Number(row['updated_at']),
  }
}
