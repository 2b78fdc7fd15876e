import type { PluginStorage } from '../../plugin/index.ts'
import { jsonIn, type SqlDatabase } from './database.ts'

/** What a plugin keeps for a conversation, for an owner, or for nobody. */
export function sqlValues(
  database: SqlDatabase,
  plugin: string,
  conversationId = '',
): PluginStorage {
  const place = [conversationId, plugin] as const
  return {
    get: async (key) => {
      const [row] = await database.query(
        'SELECT value FROM plugin_values WHERE conversation_id = ? AND plugin = ? AND key = ?',
        [...place, key],
      )
      return row && jsonIn(row['value'])
    },
    set: async (key, value) => {
      await database.query(
        `INSERT INTO plugin_values (conversation_id, plugin, key, value) VALUES (?, ?, ?, ?)
          ON CONFLICT (conversation_id, plugin, key) DO UPDATE SET value = excluded.value`,
        [...place, key, JSON.stringify(value ?? null)],
      )
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
      await database.query(
        'DELETE FROM plugin_values WHERE conversation_id = ? AND plugin = ? AND key = ?',
        [...place, key],
      )
    },
  }
}
