import type { Access } from './access.ts'
import type { Client, Connect } from './client.ts'

/** The maximum number of cached clients. With more servers, clients are created again at times. */
const MOST = 16

interface Kept {
  readonly client: Promise<Client>
  readonly fetch: unknown
}

/** Caches clients by their options, so that equal requests share one. A failed creation is not cached. */
export function keeping(connect: Connect): Connect {
  const clients = new Map<string, Kept>()
  return (access) => {
    const key = keyOf(access)
    const { fetch } = access
    const known = clients.get(key)
    if (known && known.fetch === fetch) return known.client
    if (clients.size >= MOST) clients.clear()
    const client = connect(access)
    clients.set(key, { client, fetch })
    client.catch(() => clients.delete(key))
    return client
  }
}

function keyOf({ profile, settings }: Access): string {
  return JSON.stringify([profile.name, profile.baseUrl, settings])
}
