import { HostError } from '@braidwork/plugin'
import { LOCAL, oidcAuthenticator, type ServerOptions, tokenAuthenticator } from '@braidwork/server'
import { firstOf, LOOPBACK_HOSTS, type ServerConfig } from '@braidwork/server/internal'

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

type Access = Pick<ServerOptions, 'authenticate' | 'storedTokens' | 'anonymous' | 'hosts'>

/**
 * Decides who may call: holders of a token; if the config has no kind of token, only callers on this machine.
 * @throws {HostError} CONFIG_INVALID
 */
export function accessOf(config: ServerConfig, hostname: string): Access {
  const { tokens = [], hosts, oidc } = config
  const isLoopback = LOOPBACK.has(hostname)
  // Against DNS rebinding: a server on the loopback address accepts no other host name.
  const names = isLoopback ? [...LOOPBACK_HOSTS, ...(hosts ?? [])] : hosts
  const answered = names ? { hosts: names } : {}
  const known = [
    ...(tokens.length > 0 ? [tokenAuthenticator(tokens)] : []),
    ...(oidc ? [oidcAuthenticator(oidc)] : []),
  ]
  const { stored_tokens: storedTokens = tokens.length > 0 } = config
  if (known.length > 0) return { ...answered, authenticate: firstOf(known), storedTokens }
  if (storedTokens) return { ...answered, storedTokens }
  if (isLoopback) return { ...answered, anonymous: LOCAL }
  throw new HostError(
    'CONFIG_INVALID',
    `Anyone who reaches ${hostname} could use this server. Set "server.tokens", "server.stored_tokens" or "server.oidc" in the config, or serve on 127.0.0.1.`,
    { pointer: '/server/tokens' },
  )
}
