import { HostError } from '@braidwork/plugin'
import { LOCAL, oidcAuthenticator, type ServerOptions, tokenAuthenticator } from '@braidwork/server'
import { firstOf, LOOPBACK_HOSTS, type ServerConfig } from '@braidwork/server/internal'

/** The address that a server listens on by default. */
export const LOOPBACK_ADDRESS = '127.0.0.1'

const LOOPBACK = new Set([LOOPBACK_ADDRESS, '::1', 'localhost'])

type Access = Pick<ServerOptions, 'authenticate' | 'storedTokens' | 'anonymous' | 'hosts'>

/**
 * Decides who may call: holders of a token; if the config has no kind of token, only callers on this machine. An empty
 * list of tokens is a kind of token, which nobody has.
 * @throws {HostError} CONFIG_INVALID
 */
export function accessOf(config: ServerConfig, hostname: string): Access {
  const { tokens, hosts, oidc } = config
  const isLoopback = LOOPBACK.has(hostname)
  // Against DNS rebinding: a server on the loopback address accepts no other host name.
  const names = isLoopback ? [...LOOPBACK_HOSTS, ...(hosts ?? [])] : hosts
  const answered = names ? { hosts: names } : {}
  const known = [
    ...(tokens ? [tokenAuthenticator(tokens)] : []),
    ...(oidc ? [oidcAuthenticator(oidc)] : []),
  ]
  const { stored_tokens: storedTokens = tokens !== undefined } = config
  if (known.length > 0) return { ...answered, authenticate: firstOf(known), storedTokens }
  if (storedTokens) return { ...answered, storedTokens }
  const door = doorOf(config, hostname)
  if (door === undefined) return { ...answered, anonymous: LOCAL }
  throw new HostError(
    'CONFIG_INVALID',
    `Anyone who reaches ${door} could use this server. Set "server.tokens", "server.stored_tokens" or "server.oidc" in the config, or serve on ${LOOPBACK_ADDRESS} without a proxy.`,
    { pointer: '/server/tokens' },
  )
}

/** Where callers of other machines come in: the address, a proxy, or a public name. */
function doorOf(config: ServerConfig, hostname: string): string | undefined {
  if (!LOOPBACK.has(hostname)) return hostname
  if (config.trust_proxy) return 'the proxy ("server.trust_proxy")'
  const own = new Set<string>(LOOPBACK_HOSTS)
  const name = config.hosts?.find((one) => !own.has(one))
  return name === undefined ? undefined : `"${name}" ("server.hosts")`
}
