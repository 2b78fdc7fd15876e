import type { SettingsStorage } from '../storage/index.ts'
import type { Tables } from './tables.ts'
import { charge, jsonBytes } from './usage.ts'

export function memorySettings(tables: Tables): SettingsStorage {
  const { settings } = tables
  const sizeOf = (owner: string): number => {
    const row = settings.get(owner)
    return row ? jsonBytes(row.layer) : 0
  }
  return {
    load: async (owner) => settings.get(owner)?.layer,
    save: async (owner, layer) => {
      charge(tables, owner, { bytes: jsonBytes(layer) - sizeOf(owner) })
      settings.set(owner, { owner, layer })
    },
    delete: async (owner) => {
      charge(tables, owner, { bytes: -sizeOf(owner) })
      return settings.delete(owner)
    },
  }
}
