import { asStored } from '@braidwork/core/internal'
import type { PluginStorage } from '@braidwork/plugin'
import { ownerOfKey } from '../storage/index.ts'
import type { Tables, ValuesRow } from './tables.ts'
import { charge, jsonBytes } from './usage.ts'

/** Returns a plugin's storage for one conversation, for one owner, or global. */
export function memoryValues(
  tables: Tables,
  plugin: string,
  conversationId?: string,
): PluginStorage {
  const values = () => tables.values.get(conversationId)?.get(plugin)?.values
  const count = (bytes: number) => charge(tables, ownerOfKey(conversationId ?? ''), { bytes })
  return {
    get: async (key) => structuredClone(values()?.get(key)),
    set: async (key, value) => {
      count(-sizeOf(values(), key))
      valuesRow(tables, plugin, conversationId).values.set(key, asStored(value))
      count(sizeOf(values(), key))
    },
    list: async (prefix = '') =>
      [...(values()?.keys() ?? [])].filter((key) => key.startsWith(prefix)).sort(),
    delete: async (key) => {
      count(-sizeOf(values(), key))
      values()?.delete(key)
    },
  }
}

function sizeOf(values: ReadonlyMap<string, unknown> | undefined, key: string): number {
  return values?.has(key) ? jsonBytes(values.get(key)) : 0
}

/** Returns the row of a plugin and a conversation. Creates it if there is none. */
export function valuesRow(
  { values }: Tables,
  plugin: string,
  conversationId: string | undefined,
): ValuesRow {
  const rows = values.get(conversationId) ?? new Map<string, ValuesRow>()
  const row = rows.get(plugin) ?? { plugin, conversationId, values: new Map<string, unknown>() }
  values.set(conversationId, rows.set(plugin, row))
  return row
}
