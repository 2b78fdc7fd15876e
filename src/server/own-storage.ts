import { ownerKey } from '@braidwork/agent/internal'
import type { Host } from '@braidwork/core'
import type { PluginStorages } from '@braidwork/core/internal'
import type { Caller, PluginStorage } from '@braidwork/plugin'
import { callerOf, type Identity } from './identity.ts'
import type { Quotas } from './quotas.ts'

/**
 * Returns a host whose plugins see the caller, and store their data for one identity. Values outside any conversation are kept apart
 * per identity, and all values count towards the identity's quota.
 */
export function ownStorage(
  host: Host,
  identity: Identity,
  quotas: Quotas,
  caller: Caller = callerOf(identity),
): Host {
  const own = ownerKey(identity.id)
  return host.withCaller(caller).withStorage((storage) => ({
    storageOf: (plugin, conversationId = own) =>
      within(storage.storageOf(plugin, conversationId), identity, quotas),
  }))
}

/** Returns a host whose plugins keep their values in the storage of the server, unless the host was given one. */
export function keepingHost(host: Host, storage: PluginStorages): Host {
  return host.withStorage((own, isGiven) => (isGiven ? own : storage))
}

/** Returns a host whose plugins read their data, and whose writes are dropped. */
export function withoutWrites(host: Host): Host {
  const dropped = () => Promise.resolve()
  return host.withStorage((storage) => ({
    storageOf: (plugin, conversationId) => {
      const own = storage.storageOf(plugin, conversationId)
      return {
        get: (key) => own.get(key),
        set: dropped,
        list: (prefix) => own.list(prefix),
        delete: dropped,
      }
    },
  }))
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
