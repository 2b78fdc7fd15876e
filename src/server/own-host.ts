import { ownerKey } from '../agent/storage/index.ts'
import { coreOf, Host } from '../host/host.ts'
import type { Identity } from './identity.ts'

/** The same plugins for one identity: what they keep for no conversation is nobody else's. */
export function ownHost(host: Host, { id }: Identity): Host {
  const core = coreOf(host)
  const own = ownerKey(id)
  const storage = {
    storageOf: (plugin: string, conversationId = own) =>
      core.storage.storageOf(plugin, conversationId),
  }
  return new Host({ ...core, storage }, new AbortController())
}
