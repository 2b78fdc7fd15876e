import { HostError } from '@braidwork/plugin'
import { messageOf, toMissingPackage } from '@braidwork/plugin/internal'
import type { CryptoKey, JSONWebKeySet, JWTPayload } from 'jose'
import { type Authenticate, type Identity, readsTokens, tokenOf } from '../identity.ts'
import { assertOidc } from './assert-oidc.ts'
import { OIDC_IDS } from './identity-schema.ts'
import { IssuerKeys, type KeySet } from './issuer-keys.ts'

/** How callers are identified by tokens of an OpenID Connect issuer. */
export interface OidcConfig extends Pick<Identity, 'models' | 'limits' | 'host_tools'> {
  /** The address of the issuer, as `iss` of its tokens has it. */
  readonly issuer: string
  /** One of these must be in `aud` of a token. */
  readonly audience: string | readonly string[]
  /** The address of the issuer's keys. By default its discovery document names it. */
  readonly jwks_uri?: string
  /** The claim with the role, or the list of roles or groups, of a caller. By default every caller is a `user`. */
  readonly role_claim?: string
  /** Values of that claim whose callers are admins. */
  readonly admin_values?: readonly string[]
  /** The claim that plugins see as `context.caller.scope`. */
  readonly scope_claim?: string
}

/**
 * Signatures with a private key only: with a shared secret, or without a signature (`none`), anyone who knows the
 * public keys could make tokens. RFC 8725, section 3.1
 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
/** How far the clocks of issuer and server may differ, in seconds. */
const TOLERANCE = 30
/** The longest wait for an answer of the issuer, in milliseconds. */
const PATIENCE = 5000
const LONGEST_ID = 200
/** Three parts of base64url. Other tokens are not for this authenticator. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * Returns a function that identifies callers by JSON Web Tokens of an issuer (OpenID Connect Core 1.0; RFC 7519). The id
 * of a caller is `oidc:` and its `sub`. A token that is not valid identifies nobody. The keys of the issuer are kept, up
 * to 24 hours while it does not answer. They are read again after ten minutes, and for a signature that none of them
 * made, at most every ten seconds. The function throws ISSUER_AWAY where it needs other keys and the issuer does not
 * answer.
 * @throws {HostError} OPTION_INVALID, with a pointer
 */
export function oidcAuthenticator(config: OidcConfig): Authenticate {
  assertOidc(config)
  let verifier: Promise<Verify> | undefined
  return readsTokens(async (request) => {
    const token = tokenOf(request)
    if (token === undefined || !JWT.test(token)) return undefined
    try {
      verifier ??= verifierOf(config)
      const verify = await verifier
      const claims = await verify(token)
      return claims && identityOf(claims, config)
    } catch (error) {
      throw away(error)
    }
  })
}

type Jose = typeof import('jose')
/** Checks a token. Returns undefined for one that is not valid. @throws the error of an issuer that is away */
type Verify = (token: string) => Promise<JWTPayload | undefined>

async function verifierOf(config: OidcConfig): Promise<Verify> {
  const jose = await loadJose()
  const issuer = new IssuerKeys(keyReader(config, jose))
  const claimsOf = claimReader(config, jose)
  const { JWKSNoMatchingKey, JWSSignatureVerificationFailed } = jose.errors
  return async (token) => {
    const keys = await issuer.current()
    try {
      return await claimsOf(token, keys)
    } catch (error) {
      const isUnknownKey =
        error instanceof JWKSNoMatchingKey || error instanceof JWSSignatureVerificationFailed
      if (!isUnknownKey) return refused(error, jose)
    }
    // The issuer may have replaced its keys, also without a new id.
    const latest = await issuer.latest()
    if (latest === keys) return undefined
    return claimsOf(token, latest).catch((error: unknown) => refused(error, jose))
  }
}

/** Returns undefined for an error of a token, in contrast to those of the issuer, which it throws. */
function refused(error: unknown, { errors }: Jose): undefined {
  const ofTokens = [
    errors.JWTClaimValidationFailed,
    errors.JWTExpired,
    errors.JWTInvalid,
    errors.JWSInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWKSNoMatchingKey,
  ]
  if (!ofTokens.some((kind) => error instanceof kind)) throw error
}

/** Returns a function that reads the claims of a token, and throws the errors of jose. */
function claimReader({ issuer, audience }: OidcConfig, { errors, jwtVerify }: Jose) {
  const options = {
    issuer,
    audience: typeof audience === 'string' ? audience : [...audience],
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE,
    requiredClaims: ['sub', 'exp'],
  }
  /** A token without the id of a key may be signed with any of those that fit. RFC 7515, section 4.1.4 */
  async function byAny(token: string, keys: AsyncIterable<CryptoKey>): Promise<JWTPayload> {
    for await (const key of keys) {
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
  return async (token: string, keys: KeySet): Promise<JWTPayload> => {
    try {
      return (await jwtVerify(token, keys, options)).payload
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return byAny(token, error)
      throw error
    }
  }
}

/** Returns a function that asks the issuer for its keys. Their address is looked up once. */
function keyReader({ issuer, jwks_uri }: OidcConfig, { createLocalJWKSet }: Jose) {
  let address = jwks_uri
  return async (): Promise<KeySet> => {
    address ??= await discovered(issuer)
    return createLocalJWKSet((await readJson(address)) as JSONWebKeySet)
  }
}

/** Reads the address of the keys. OpenID Connect Discovery 1.0, section 4 */
async function discovered(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = (await readJson(address)) as {
    readonly issuer?: unknown
    readonly jwks_uri?: unknown
  }
  if (document.issuer !== issuer) throw new Error(`${address} is of another issuer`)
  if (typeof document.jwks_uri === 'string') return document.jwks_uri
  throw new Error(`${address} has no "jwks_uri"`)
}

async function readJson(address: string): Promise<unknown> {
  const response = await fetch(address, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return response.json()
}

async function loadJose(): Promise<Jose> {
  try {
    return await import('jose')
  } catch (error) {
    throw toMissingPackage(error, 'Tokens of an OIDC issuer need')
  }
}

function identityOf(claims: JWTPayload, config: OidcConfig): Identity | undefined {
  const { sub = '' } = claims
  if (sub.trim() === '' || sub.length > LONGEST_ID) return undefined
  const { role_claim, admin_values = [], scope_claim, models, limits, host_tools } = config
  const roles = role_claim === undefined ? [] : [claims[role_claim]].flat()
  const scope = scope_claim === undefined ? undefined : claims[scope_claim]
  return {
    id: `${OIDC_IDS}${sub}`,
    role: roles.some((role) => admin_values.includes(role as string)) ? 'admin' : 'user',
    ...(typeof scope === 'string' ? { scope } : {}),
    ...(models ? { models } : {}),
    ...(limits ? { limits } : {}),
    ...(host_tools ? { host_tools } : {}),
  }
}

function away(error: unknown): HostError {
  if (HostError.is(error)) return error
  const message = `The issuer of tokens does not answer: ${messageOf(error)}`
  return new HostError('ISSUER_AWAY', message, { status: 503, retryable: true, cause: error })
}
