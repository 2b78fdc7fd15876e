import type { Caller, PluginStorage } from '@braidwork/plugin'

/** Gives out storages for the values of plugins: one for each plugin and conversation. */
export interface PluginStorages {
  storageOf(plugin: string, conversationId?: string): PluginStorage
}

/** Storages in which values outside of conversations belong to a caller: they may be about a person. */
export function storagesOf(storages: PluginStorages, { id }: Caller): PluginStorages {
  const own = callerKey(id)
  return {
    storageOf: (plugin, conversationId = own) => storages.storageOf(plugin, conversationId),
  }
}

/** The key, in place of that of a conversation, for the values of a caller of a host. */
export function callerKey(id: string): string {
  return JSON.stringify({ caller: id })
}

/** A copy of a value as a database keeps it, which is JSON: a plugin is to find in memory what it will find there. */
export function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null))
}

/** Plugin storages in memory. */
export class MemoryValues implements PluginStorages {
  readonly #stores = new Map<string, Map<string, unknown>>()
  /** The storages outside conversations, which each request of a plugin is given. */
  readonly #shared = new Map<string, PluginStorage>()

  storageOf(plugin: string, conversationId = ''): PluginStorage {
    if (conversationId !== '') return this.#newStorage(plugin, conversationId)
    const storage = this.#shared.get(plugin) ?? Object.freeze(this.#newStorage(plugin, ''))
    this.#shared.set(plugin, storage)
    return storage
  }

  #newStorage(plugin: string, conversationId: string): PluginStorage {
    const values = () => this.#storeOf(JSON.stringify([plugin, conversationId]))
    return {
      get: async (key) => structuredClone(values().get(key)),
      set: async (key, value) => void values().set(key, asStored(value)),
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
