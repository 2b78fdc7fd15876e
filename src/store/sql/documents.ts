import { createHash } from 'node:crypto'
import type {
  AgentStorage,
  Approval,
  ApprovalStorage,
  DocumentKind,
  DocumentStorage,
  FileStorage,
  SettingsStorage,
  StoredAgent,
  StoredAnswer,
  StoredDocument,
  StoredFile,
} from '../../agent/storage/index.ts'
import { agentNameTaken, agentUnknown } from '../faults.ts'
import { ifPresent, jsonIn, type Row, type SqlDatabase, type SqlSession } from './database.ts'

export function sqlApprovals(database: SqlDatabase): ApprovalStorage {
  const load = async (owner: string, id: string): Promise<Approval | undefined> => {
    const [row] = await database.query('SELECT * FROM approvals WHERE id = ? AND owner = ?', [
      id,
      owner,
    ])
    return row && approvalIn(row)
  }
  return {
    load,
    create: (approvals) =>
      database.transaction(async (session) => {
        for (const [position, approval] of approvals.entries()) {
          await insertApproval(session, approval, position)
        }
      }),
    list: async (runId) => {
      const rows = await database.query(
        'SELECT * FROM approvals WHERE run_id = ? ORDER BY position',
        [runId],
      )
      return rows.map(approvalIn)
    },
    answer: async (owner, id, answer) => {
      const [row] = await database.query(
        `UPDATE approvals SET answer = ?
          WHERE id = ? AND owner = ? AND answer IS NULL AND expires_at > ? RETURNING *`,
        [JSON.stringify(answer), id, owner, answer.answeredAt],
      )
      if (row) return approvalIn(row)
      const approval = await load(owner, id)
      return approval?.answer ? approval : undefined
    },
  }
}

/** Of one run, in order: those of a later leg come after those of the earlier. */
export async function insertApproval(
  session: SqlSession,
  given: Approval,
  position: number,
): Promise<boolean> {
  const { answer, ...approval } = given
  const { id, owner, runId, expiresAt, requestedAt } = approval
  const rows = await session.query(
    `INSERT INTO approvals (id, owner, run_id, position, expires_at, approval, answer)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
    [
      id,
      owner,
      runId,
      requestedAt * 1000 + position,
      expiresAt,
      JSON.stringify(approval),
      answer ? JSON.stringify(answer) : null,
    ],
  )
  return rows.length > 0
}

export function approvalIn(row: Row): Approval {
  return {
    ...jsonIn<Approval>(row['approval']),
    ...ifPresent('answer', row['answer'], (answer) => jsonIn<StoredAnswer>(answer)),
  }
}

export function sqlFiles(database: SqlDatabase): FileStorage {
  return {
    put: (owner, file, conversationId = '') =>
      database.transaction(async (session) => {
        const hash = createHash('sha256').update(file.bytes).digest('hex')
        await insertFile(session, { ...file, hash }, [owner, conversationId])
        return hash
      }),
    load: async (owner, hash) => {
      const [row] = await database.query(
        `SELECT files.hash AS hash, media_type, name, bytes FROM files
          JOIN blobs ON blobs.hash = files.hash WHERE owner = ? AND files.hash = ? LIMIT 1`,
        [owner, hash],
      )
      return row && fileIn(row)
    },
    delete: (owner, hash) =>
      database.transaction(async (session) => {
        const rows = await session.query(
          'DELETE FROM files WHERE owner = ? AND hash = ? RETURNING hash',
          [owner, hash],
        )
        await session.query(
          'DELETE FROM blobs WHERE hash = ? AND hash NOT IN (SELECT hash FROM files)',
          [hash],
        )
        return rows.length > 0
      }),
  }
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
  await session.query('INSERT INTO blobs (hash, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING', [
    hash,
    bytes,
  ])
  const rows = await session.query(
    `INSERT INTO files (owner, hash, conversation_id, media_type, name) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner, hash, conversation_id) DO NOTHING RETURNING hash`,
    [owner, hash, conversationId, mediaType, name],
  )
  return rows.length > 0
}

export function fileIn(row: Row): StoredFile {
  return {
    hash: String(row['hash']),
    mediaType: String(row['media_type']),
    ...ifPresent('name', row['name'], String),
    // One driver gives a buffer, another a view.
    bytes: new Uint8Array(row['bytes'] as ArrayBuffer | Uint8Array),
  }
}

export function sqlSettings(database: SqlDatabase): SettingsStorage {
  return {
    load: async (owner) => {
      const [row] = await database.query('SELECT layer FROM settings WHERE owner = ?', [owner])
      return row && jsonIn(row['layer'])
    },
    save: async (owner, layer, now) => {
      await database.query(
        `INSERT INTO settings (owner, layer, updated_at) VALUES (?, ?, ?)
          ON CONFLICT (owner) DO UPDATE SET layer = excluded.layer, updated_at = excluded.updated_at`,
        [owner, JSON.stringify(layer), now],
      )
    },
    delete: async (owner) => {
      const rows = await database.query('DELETE FROM settings WHERE owner = ? RETURNING owner', [
        owner,
      ])
      return rows.length > 0
    },
  }
}

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
  const { id, owner, name, spec, updatedAt } = agent
  await session.query(
    `INSERT INTO agents (id, owner, name, spec, updated_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, spec = excluded.spec,
        updated_at = excluded.updated_at`,
    [id, owner, name, JSON.stringify(spec), updatedAt],
  )
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

export function sqlDocuments(database: SqlDatabase): DocumentStorage {
  return {
    list: async (owner, kind) => {
      const rows = await database.query('SELECT * FROM documents WHERE owner = ? AND kind = ?', [
        owner,
        kind,
      ])
      return rows.map(documentIn).sort(byName)
    },
    load: async (owner, kind, name) => {
      const [row] = await database.query(
        'SELECT * FROM documents WHERE owner = ? AND kind = ? AND name = ?',
        [owner, kind, name],
      )
      return row && documentIn(row)
    },
    save: async ({ owner, kind, name, content, updatedAt }) => {
      await database.query(
        `INSERT INTO documents (owner, kind, name, content, updated_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (owner, kind, name) DO UPDATE SET content = excluded.content,
            updated_at = excluded.updated_at`,
        [owner, kind, name, JSON.stringify(content), updatedAt],
      )
    },
    delete: async (owner, kind, name) => {
      const rows = await database.query(
        'DELETE FROM documents WHERE owner = ? AND kind = ? AND name = ? RETURNING name',
        [owner, kind, name],
      )
      return rows.length > 0
    },
  }
}

export function documentIn(row: Row): StoredDocument {
  return {
    owner: String(row['owner']),
    kind: String(row['kind']) as DocumentKind,
    name: String(row['name']),
    content: jsonIn(row['content']),
    updatedAt: Number(row['updated_at']),
  }
}

/** By code units, as every backend does it. */
function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0
}
