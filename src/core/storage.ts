import type { PluginStorage } from '@braidwork/plugin'

/** Gives out storages for the values of plugins: one for each plugin and conversation. */
export interface PluginStorages {
  storageOf(plugin: string, conversationId?: string): PluginStorage
}

/** Plugin storages in memory. */
export class MemoryValues implements PluginStorages {
  readonly #stores = new Map<string, Map<string, unknown>>()

  storageOf(plugin: string, conversationId = ''): PluginStorage {
    const values = () => this.#storeOf(JSON.stringify([plugin, conversationId]))
    return {
      get: async (key) => structuredClone(values().get(key)),
      set: async (key, value) => void values().set(key, structuredClone(value)),
      list: async (prefix = '') =>
        [...values().keys()].filter((key) => key.startsWith(prefix)).sort(),
      delete: async (key) => void values().delete(key),
    }
  }

  #storeOf(key: string): Map<string, unknown> {
    const store = this.#stores.get(key) ?? new Map<string, unknown>()
    this.#stores.set(key, store)
    return store
  }
}
