import type { SettingsStorage } from '../../agent/storage/index.ts'
import type { Tables } from './tables.ts'

export function memorySettings({ settings }: Tables): SettingsStorage {
  return {
    load: async (owner) => settings.get(owner)?.layer,
    save: async (owner, layer) => void settings.set(owner, { owner, layer }),
    delete: async (owner) => settings.delete(owner),
  }
}
