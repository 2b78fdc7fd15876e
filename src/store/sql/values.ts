import { bytesOf, ownerOfKey } from '@braidwork/agent/internal'
import type { PluginStorage } from '@braidwork/plugin'
import { jsonIn, type SqlDatabase } from './database.ts'
import { charge, sizeIn } from './usage.ts'

const SIZE = 'octet_length(value) AS size'
const VALUE = 'plugin_values WHERE conversation_id = ? AND plugin = ? AND key = ?'

/** Returns a plugin's storage for one conversation, for one owner, or global. */
export function sqlValues(
  database: SqlDatabase,
  plugin: string,
  conversationId = '',
): PluginStorage {
  const place = [conversationId, plugin] as const
  const owner = ownerOfKey(conversationId)
  return {
    get: async (key) => {
      const [row] = await database.query(
        'SELECT value FROM plugin_values WHERE conversation_id = ? AND plugin = ? AND key = ?',
        [...place, key],
      )
      return row && jsonIn(row['value'])
    },
    set: async (key, value) => {
      const kept = JSON.stringify(value ?? null)
      await database.transaction(async (session) => {
        const size = await sizeIn(session, `SELECT ${SIZE} FROM ${VALUE}`, [...place, key])
        await session.query(
          `INSERT INTO plugin_values (conversation_id, plugin, key, value) VALUES (?, ?, ?, ?)
          ON CONFLICT (conversation_id, plugin, key) DO UPDATE SET value = excluded.value`,
          [...place, key, kept],
        )
        await charge(session, owner, { bytes: bytesOf(kept) - size })
      })
    },
    list: async (prefix = '') => {
      const rows = await database.query(
        'SELECT key FROM plugin_values WHERE conversation_id = ? AND plugin = ?',
        place,
      )
      const keys = rows.map((row) => String(row['key']))
      return keys.filter((key) => key.startsWith(prefix)).sort()
    },
    delete: async (key) => {
      await database.transaction(async (session) => {
        const text = `DELETE FROM ${VALUE} RETURNING ${SIZE}`
        const size = await sizeIn(session, text, [...place, key])
        await charge(session, owner, { bytes: -size })
      })
    },
  }
}
