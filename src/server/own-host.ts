import { ownerKey } from '../agent/storage/index.ts'
import { coreOf, Host } from '../host/host.ts'
import type { PluginStorage } from '../plugin/index.ts'
import type { Identity } from './identity.ts'
import type { Quotas } from './quotas.ts'

/**
 * The same plugins for one identity: what they keep for no conversation is nobody else's, and all that they keep
 * counts as the identity's.
 */
export function ownHost(host: Host, identity: Identity, quotas: Quotas): Host {
  const core = coreOf(host)
  const own = ownerKey(identity.id)
  const storage = {
    storageOf: (plugin: string, conversationId = own) =>
      within(core.storage.storageOf(plugin, conversationId), identity, quotas),
  }
  return new Host({ ...core, storage }, new AbortController())
}

function within(storage: PluginStorage, identity: Identity, quotas: Quotas): PluginStorage {
  return {
    get: (key) => storage.get(key),
    set: async (key, value) => {
      await quotas.assertRoom(identity, { bytes: Buffer.byteLength(JSON.stringify(value ?? null)) })
      await storage.set(key, value)
    },
    list: (prefix) => storage.list(prefix),
    delete: (key) => storage.delete(key),
  }
}
