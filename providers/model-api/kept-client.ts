import type { Access } from './access.ts'
import type { Client, Connect } from './client.ts'

/** Clients that are kept; a host with more servers than that makes one anew now and then. */
const MOST = 16

interface Kept {
  readonly client: Promise<Client>
  readonly fetch: unknown
}

/** Makes a client once for all requests that would get the same; one that could not be made is not kept. */
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
