import type { PluginStorage } from '../../plugin/index.ts'
import type { Tables, ValuesRow } from './tables.ts'

/** What a plugin keeps for a conversation, for an owner, or for nobody. */
export function memoryValues(
  tables: Tables,
  plugin: string,
  conversationId?: string,
): PluginStorage {
  const values = () => valuesRow(tables, plugin, conversationId).values
  return {
    get: async (key) => structuredClone(values().get(key)),
    set: async (key, value) => void values().set(key, structuredClone(value)),
    list: async (prefix = '') =>
      [...values().keys()].filter((key) => key.startsWith(prefix)).sort(),
    delete: async (key) => void values().delete(key),
  }
}

/** The row of a plugin and a conversation, made where there is none. */
export function valuesRow(
  { values: rows }: Tables,
  plugin: string,
  conversationId: string | undefined,
): ValuesRow {
  const key = JSON.stringify([plugin, conversationId ?? null])
  const row = rows.get(key) ?? { plugin, conversationId, values: new Map<string, unknown>() }
  rows.set(key, row)
  return row
}
