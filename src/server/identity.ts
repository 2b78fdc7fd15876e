import { createHash, timingSafeEqual } from 'node:crypto'
import { HostError } from '@braidwork/plugin'

/** Whoever calls the server. Everything stored is somebody's; others are told that it is not there. */
export interface Identity {
  readonly id: string
  /** An `admin` sees and sets all settings of plugins, a `user` the neutral ones. */
  readonly role: 'admin' | 'user'
  /** The published models that it may use; all where it is not said. */
  readonly models?: readonly string[]
}

/** Says who calls; nothing where it is nobody that the server knows. */
export type Authenticate = (
  request: Request,
) => Identity | undefined | Promise<Identity | undefined>

/** A token with whom it stands for. */
export interface TokenIdentity extends Omit<Identity, 'role'> {
  readonly token: string
  readonly role?: Identity['role']
}

/** Whoever calls where no tokens are set; for servers on loopback alone. */
export const LOCAL: Identity = { id: 'local', role: 'admin' }

/** Identities by their tokens, sent as `Authorization: Bearer` or `x-api-key`. */
export function tokenAuthenticator(tokens: readonly TokenIdentity[]): Authenticate {
  const known = tokens.map(({ token, role = 'user', ...identity }) => ({
    hash: hashOf(token),
    identity: { ...identity, role },
  }))
  return (request) => {
    const given = hashOf(tokenOf(request) ?? '')
    // Each is compared, whichever fits: the time says nothing of the tokens.
    const fitting = known.filter(({ hash }) => timingSafeEqual(hash, given))
    return fitting[0]?.identity
  }
}

/** @throws {HostError} UNAUTHORIZED */
export async function identify(request: Request, authenticate: Authenticate): Promise<Identity> {
  const identity = await authenticate(request)
  if (identity) return identity
  const isSent = tokenOf(request) !== undefined
  throw new HostError(
    'UNAUTHORIZED',
    isSent
      ? 'The token is not one that this server knows.'
      : 'Send a token, as "Authorization: Bearer <token>" or "x-api-key: <token>".',
  )
}

function tokenOf({ headers }: Request): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return bearer ?? headers.get('x-api-key') ?? undefined
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
