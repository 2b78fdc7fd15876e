import type { StoredToken, TokenStorage } from '@braidwork/agent/internal'
import {
  groups,
  ifPresent,
  jsonIn,
  placeholders,
  type Row,
  type SqlDatabase,
  type SqlSession,
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
    revoke: (id, now) =>
      database.transaction(async (session) => {
        const text =
          'UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING id'
        const rows = await session.query(text, [now, id])
        if (rows.length > 0) await tellChange(session)
        return rows.length > 0
      }),
    use: async (ids, now) => {
      for (const some of groups(database, ids)) {
        await database.query(
          `UPDATE tokens SET last_used_at = ? WHERE coalesce(last_used_at, 0) < ?
            AND id IN (${placeholders(some.length)})`,
          [now, now, ...some],
        )
      }
    },
    prune: (before) =>
      database.transaction(async (session) => {
        const rows = await session.query(
          'DELETE FROM tokens WHERE revoked_at < ? OR expires_at < ? RETURNING id',
          [before, before],
        )
        if (rows.length > 0) await tellChange(session)
      }),
  }
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
