/** A pattern for editors that only matches host names without scheme, port, path, wildcards and capital letters. */
export const HOST_NAME = '^(?:\\[[0-9a-f:.]+\\]|[^\\sA-Z*:/?#@%|^<>[\\]\\\\]+)$'

/** The first of some host names that no request can have, and what to give in its place. */
export interface HostNameFault {
  readonly index: number
  readonly message: string
}

/**
 * Checks names that a server answers to. A request has a host name without scheme, port, path and wildcards, in lower
 * case.
 */
export function hostNameFault(names: readonly string[]): HostNameFault | undefined {
  for (const [index, name] of names.entries()) {
    const advice = adviceFor(name)
    if (advice === undefined) continue
    return { index, message: `no request has the host name "${name.slice(0, 100)}"; ${advice}` }
  }
  return undefined
}

/** What to give in place of a name that no request has. Undefined for one that a request can have. */
function adviceFor(name: string): string | undefined {
  if (name.includes('*')) return 'list each name, since there are no wildcards'
  const known = hostnameOf(name) ?? hostnameOf(`[${name}]`)
  if (known === name) return undefined
  if (known === undefined) return 'give a name without scheme and port, such as "chat.example.com"'
  return `give "${known}"`
}

/** The host name of a URL, or of a host with a port. */
function hostnameOf(text: string): string | undefined {
  const address = text.includes('://') ? text : `http://${text}`
  return URL.canParse(address) ? new URL(address).hostname || undefined : undefined
}
