import { createHash, timingSafeEqual } from 'node:crypto'
import { isId } from '@braidwork/core/internal'
import { type Caller, HostError, isObject, type JsonObject } from '@braidwork/plugin'

/** Limits that all servers of a storage count together. By default there are none. */
export interface AmountLimits {
  readonly requests_per_minute?: number
  readonly requests_per_day?: number
  /** Input and output tokens of models. */
  readonly tokens_per_day?: number
  /** US dollars. Requests without a known price do not count. */
  readonly cost_per_day?: number
}

export const ROLES = ['admin', 'user', 'monitor'] as const

/** The caller of the server. Each stored item belongs to one identity, and to all others it does not exist. */
export interface Identity {
  readonly id: string
  /**
   * An `admin` and a `user` change request settings and those listed in `settable`. Only an `admin` sees the settings of
   * all plugins. A `monitor` may read the metrics, which name all callers, and nothing else.
   */
  readonly role: (typeof ROLES)[number]
  /**
   * The published models that the identity may use, as a list of their names, or by name with the limits of each. By
   * default all.
   */
  readonly models?: readonly string[] | { readonly [name: string]: AmountLimits }
  readonly limits?: AmountLimits
  /** A scope that plugins see as `context.caller.scope`. */
  readonly scope?: string
  /** Further facts that plugins see as `context.caller.data`: at most 16 KiB of JSON, stored with each run. */
  readonly data?: JsonObject
  /** `none`: the model is offered no tools of the host in this identity's runs. By default it is offered them. */
  readonly host_tools?: 'none'
  /** The id of the token that the caller sent. Its limits count for it; without it they count for the identity. */
  readonly token?: string
}

/** The names of the published models that an identity may use. Undefined if it may use all. */
export function modelsOf({ models }: Pick<Identity, 'models'>): readonly string[] | undefined {
  return models && !isList(models) ? Object.keys(models) : models
}

function isList(models: NonNullable<Identity['models']>): models is readonly string[] {
  return Array.isArray(models)
}

/** Returns an identity as plugins see it. */
export function callerOf({ id, role, scope, data }: Identity): Caller {
  return {
    id,
    role,
    ...(scope === undefined ? {} : { scope }),
    ...(data === undefined ? {} : { data }),
  }
}

/** Whether a value has what every identity has. */
export function isIdentity(value: unknown): value is Identity {
  if (!isObject(value)) return false
  const { id, role } = value
  return isId(id) && ROLES.some((one) => one === role)
}

/** Identifies the caller of a request. Returns undefined for an unknown caller. */
export type Authenticate = (
  request: Request,
) => Identity | undefined | Promise<Identity | undefined>

/** A token, and the identity that it stands for. */
export interface TokenIdentity extends Omit<Identity, 'role' | 'token'> {
  readonly token: string
  readonly role?: Identity['role']
}

/** The identity of every caller if no tokens are configured. Use it only for servers on loopback. */
export const LOCAL: Identity = { id: 'local', role: 'admin' }

/** Returns a function that finds identities by token, sent as `Authorization: Bearer` or `x-api-key`. */
export function tokenAuthenticator(tokens: readonly TokenIdentity[]): Authenticate {
  const known = tokens.map(({ token, role = 'user', ...identity }) => {
    const hash = hashOf(token)
    // Two tokens of one identity have limits of their own.
    return { hash, identity: { ...identity, role, token: `config:${hash.toString('hex', 0, 8)}` } }
  })
  const authenticate: Authenticate = (request) => {
    const given = hashOf(tokenOf(request) ?? '')
    // Compare with every token, even after a match, so that the time taken reveals nothing about the tokens.
    const fitting = known.filter(({ hash }) => timingSafeEqual(hash, given))
    return fitting[0]?.identity
  }
  return readsTokens(authenticate)
}

/** The functions that {@link tokenAuthenticator} made. Only for them do refusals tell callers to send a token. */
const byToken = new WeakSet<Authenticate>()

/** Returns a function that asks others in turn, until one knows the caller. */
export function firstOf(all: readonly Authenticate[]): Authenticate {
  const authenticate: Authenticate = async (request) => {
    for (const one of all) {
      const identity = await one(request)
      if (identity) return identity
    }
    return undefined
  }
  if (all.every((one) => byToken.has(one))) byToken.add(authenticate)
  return authenticate
}

/** Says that a function identifies callers by the tokens that they send. */
export function readsTokens(authenticate: Authenticate): Authenticate {
  byToken.add(authenticate)
  return authenticate
}

/** @throws {HostError} UNAUTHORIZED; HOOK_ANSWER_INVALID if `authenticate` returned no identity */
export async function identify(request: Request, authenticate: Authenticate): Promise<Identity> {
  const identity = await authenticate(request)
  if (isIdentity(identity)) return identity
  if (identity)
    throw new HostError('HOOK_ANSWER_INVALID', NO_IDENTITY, { pointer: '/authenticate' })
  if (!byToken.has(authenticate)) {
    throw new HostError('UNAUTHORIZED', 'This server does not know the caller.')
  }
  const isSent = tokenOf(request) !== undefined
  throw new HostError(
    'UNAUTHORIZED',
    isSent
      ? 'This server does not know the token.'
      : 'Send a token, as "Authorization: Bearer <token>" or "x-api-key: <token>".',
  )
}

/**
 * The challenge for a caller who is not known: which scheme to use, where callers are known by tokens. RFC 6750, 3
 * @param authenticate undefined if the server knows nobody
 */
export function challengeOf(
  request: Request,
  authenticate: Authenticate | undefined,
): string | undefined {
  if (!authenticate || !byToken.has(authenticate)) return undefined
  return `Bearer realm="braidwork"${tokenOf(request) === undefined ? '' : ', error="invalid_token"'}`
}

/** What was returned stays out of the message, since it may be a secret. */
const NO_IDENTITY =
  '"authenticate" returned no identity. Return { id, role }, with the role "user" or "admin", or undefined for an unknown caller.'

/** Returns the token that a request carries, if any. */
export function tokenOf({ headers }: Request): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return bearer ?? headers.get('x-api-key') ?? undefined
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
