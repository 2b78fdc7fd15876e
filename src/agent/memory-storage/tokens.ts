import type { StoredToken, TokenStorage } from '../storage/index.ts'
import type { Tables } from './tables.ts'

export function memoryTokens({ tokens }: Tables): TokenStorage {
  let revision = 0
  const idsByHash = new Map<string, string>()
  const change = (id: string, token: StoredToken | undefined): void => {
    revision++
    if (token) {
      tokens.set(id, token)
      idsByHash.set(token.hash, id)
    } else {
      idsByHash.delete(tokens.get(id)?.hash ?? '')
      tokens.delete(id)
    }
  }
  return {
    revision: async () => revision,
    find: async (hash) => tokens.get(idsByHash.get(hash) ?? ''),
    list: async () => [...tokens.values()].sort(byAge),
    create: async (token) => change(token.id, token),
    revoke: async (id, now) => {
      const token = tokens.get(id)
      if (token?.revokedAt === undefined && token) change(id, { ...token, revokedAt: now })
      return token !== undefined
    },
    delete: async (id) => {
      const isKnown = tokens.has(id)
      if (isKnown) change(id, undefined)
      return isKnown
    },
    use: async (ids, now) => {
      for (const id of ids) {
        const token = tokens.get(id)
        if (token) tokens.set(id, { ...token, lastUsedAt: Math.max(now, token.lastUsedAt ?? now) })
      }
    },
    prune: async (before) => {
      for (const { id, revokedAt = before, expiresAt = before } of tokens.values()) {
        if (Math.min(revokedAt, expiresAt) < before) change(id, undefined)
      }
    },
  }
}

function byAge(one: StoredToken, other: StoredToken): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)
}
