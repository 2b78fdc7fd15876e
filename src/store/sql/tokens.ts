import type { StoredToken, TokenStorage } from '@braidwork/agent/internal'
import {
  groups,
  ifPresent,
  jsonIn,
  placeholders,
  type Row,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
} from './database.ts'

export function sqlTokens(database: SqlDatabase): TokenStorage {
  return {
    revision: async () => {
      const [row] = await database.query('SELECT revision FROM token_revision')
      return Number(row?.['revision'] ?? 0)
    },
    find: async (hash) => {
      const [row] = await database.query('SELECT * FROM tokens WHERE hash = ?', [hash])
      return row && tokenIn(row)
    },
    list: async () =>
      (await database.query('SELECT * FROM tokens ORDER BY created_at, id')).map(tokenIn),
    create: (token) =>
      database.transaction(async (session) => {
        const { id, hash, prefix, identity, createdAt, expiresAt = null } = token
        await session.query(
          `INSERT INTO tokens (id, hash, prefix, identity, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?)`,
          [id, hash, prefix, JSON.stringify(identity), createdAt, expiresAt],
        )
        await tellChange(session)
      }),
    revoke: (id, now) => {
      const text =
        'UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING id'
      return change(database, text, [now, id])
    },
    delete: (id) => change(database, 'DELETE FROM tokens WHERE id = ? RETURNING id', [id]),
    use: async (ids, now) => {
      for (const some of groups(database, ids)) {
        await database.query(
          `UPDATE tokens SET last_used_at = ? WHERE coalesce(last_used_at, 0) < ?
            AND id IN (${placeholders(some.length)})`,
          [now, now, ...some],
        )
      }
    },
    prune: async (before) => {
      const text = 'DELETE FROM tokens WHERE revoked_at < ? OR expires_at < ? RETURNING id'
      await change(database, text, [before, before])
    },
  }
}

/** Changes or deletes tokens. Returns whether there were any. */
function change(
  database: SqlDatabase,
  text: string,
  values: readonly SqlValue[],
): Promise<boolean> {
  return database.transaction(async (session) => {
    const rows = await session.query(text, values)
    if (rows.length > 0) await tellChange(session)
    return rows.length > 0
  })
}

async function tellChange(session: SqlSession): Promise<void> {
  await session.query('UPDATE token_revision SET revision = revision + 1')
}

function tokenIn(row: Row): StoredToken {
  return {
    id: String(row['id']),
    hash: String(row['hash']),
    prefix: String(row['prefix']),
    identity: jsonIn(row['identity']),
    createdAt: Number(row['created_at']),
    ...ifPresent('expiresAt', row['expires_at'], Number),
    ...ifPresent('lastUsedAt', row['last_used_at'], Number),
    ...ifPresent('revokedAt', row['revoked_at'], Number),
  }
}
