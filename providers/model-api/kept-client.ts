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
  let last: (Access & { readonly key: string }) | undefined
  /** The key of options. The next request often has the same objects, which never change. */
  const keyFor = (access: Access) => {
    const { profile, settings } = access
    if (last?.settings !== settings || last.profile !== profile)
      last = { profile, settings, key: keyOf(access) }
    return last.key
  }
  return (access) => {
    const key = keyFor(access)
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
