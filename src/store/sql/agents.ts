import type { AgentStorage, StoredAgent } from '../../agent/storage/index.ts'
import { byName } from '../by-name.ts'
import { agentNameTaken, agentUnknown } from '../faults.ts'
import { jsonIn, type NewRow, type Row, type SqlDatabase, type SqlSession } from './database.ts'

export function sqlAgents(database: SqlDatabase): AgentStorage {
  const one = async (
    session: SqlSession,
    column: 'id' | 'name',
    [owner, value]: readonly [owner: string, value: string],
  ): Promise<StoredAgent | undefined> => {
    const text = `SELECT * FROM agents WHERE owner = ? AND ${column} = ?`
    const [row] = await session.query(text, [owner, value])
    return row && agentIn(row)
  }
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
    upsert: (agent) =>
      database.transaction(async (session) => {
        await claim(session, agent.owner, agent.name, agent.id)
        await upsertAgent(session, agent)
      }),
    rename: (owner, id, name, now) =>
      database.transaction(async (session) => {
        const agent = await one(session, 'id', [owner, id])
        if (!agent) throw agentUnknown(id)
        await claim(session, owner, name, id)
        await upsertAgent(session, { ...agent, name, updatedAt: now })
      }),
    delete: async (owner, id) => {
      const rows = await database.query(
        'DELETE FROM agents WHERE owner = ? AND id = ? RETURNING id',
        [owner, id],
      )
      return rows.length > 0
    },
  }
}

async function upsertAgent(session: SqlSession, agent: StoredAgent): Promise<void> {
  await session.query(
    `INSERT INTO agents (id, owner, name, spec, updated_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner, id) DO UPDATE SET name = excluded.name, spec = excluded.spec,
        updated_at = excluded.updated_at`,
    Object.values(agentRow(agent)),
  )
}

/** What {@link agentIn} reads, in the order of the table's columns. */
export function agentRow({ id, owner, name, spec, updatedAt }: StoredAgent): NewRow {
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
