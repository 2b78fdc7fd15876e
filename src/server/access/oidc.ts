import { HostError } from '@braidwork/plugin'
import { messageOf, toMissingPackage } from '@braidwork/plugin/internal'
import type { JWTPayload } from 'jose'
import { type Authenticate, type Identity, readsTokens, tokenOf } from '../identity.ts'
import { OIDC_IDS } from './identity-schema.ts'

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
/** A token with an unknown key makes the server ask for the keys, at most once in this time, in milliseconds. */
const COOLDOWN = 10_000
/** The longest wait for the issuer, in milliseconds. */
const PATIENCE = 5000
const LONGEST_ID = 200
/** Three parts of base64url. Other tokens are not for this authenticator. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * Returns a function that identifies callers by JSON Web Tokens of an issuer (OpenID Connect Core 1.0; RFC 7519). The id
 * of a caller is `oidc:` and its `sub`. A token that is not valid identifies nobody. The function throws ISSUER_AWAY
 * while the issuer's keys are needed and it does not answer. The keys are kept, and read again for an unknown one.
 */
export function oidcAuthenticator(config: OidcConfig): Authenticate {
  let verifier: Promise<Verifier> | undefined
  return readsTokens(async (request) => {
    const token = tokenOf(request)
    if (token === undefined || !JWT.test(token)) return undefined
    verifier ??= verifierOf(config).catch((error: unknown) => {
      // The next request asks the issuer again.
      verifier = undefined
      throw error
    })
    try {
      const { verify } = await verifier
      const claims = await verify(token)
      return claims && identityOf(claims, config)
    } catch (error) {
      throw away(error)
    }
  })
}

/** Checks tokens. Returns undefined for one that is not valid. @throws the error of an issuer that is away */
interface Verifier {
  readonly verify: (token: string) => Promise<JWTPayload | undefined>
}

async function verifierOf({ issuer, audience, jwks_uri }: OidcConfig): Promise<Verifier> {
  const { createRemoteJWKSet, errors, jwtVerify } = await loadJose()
  const keys = createRemoteJWKSet(new URL(jwks_uri ?? (await discovered(issuer))), {
    cooldownDuration: COOLDOWN,
    timeoutDuration: PATIENCE,
  })
  const options = {
    issuer,
    audience: typeof audience === 'string' ? audience : [...audience],
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE,
    requiredClaims: ['sub', 'exp'],
  }
  /** Errors of a token, in contrast to those of the issuer. */
  const ofTokens = [
    errors.JWTClaimValidationFailed,
    errors.JWTExpired,
    errors.JWTInvalid,
    errors.JWSInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWKSNoMatchingKey,
    errors.JWKSMultipleMatchingKeys,
  ]
  return {
    verify: async (token) => {
      try {
        return (await jwtVerify(token, keys, options)).payload
      } catch (error) {
        if (ofTokens.some((kind) => error instanceof kind)) return undefined
        throw error
      }
    },
  }
}

/** Reads the address of the keys. OpenID Connect Discovery 1.0, section 4 */
async function discovered(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  const document = (await response.json()) as {
    readonly issuer?: unknown
    readonly jwks_uri?: unknown
  }
  if (document.issuer !== issuer) throw new Error(`${address} is of another issuer`)
  if (typeof document.jwks_uri === 'string') return document.jwks_uri
  throw new Error(`${address} has no "jwks_uri"`)
}

async function loadJose(): Promise<typeof import('jose')> {
  try {
    return await import('jose')
  } catch (error) {
    throw toMissingPackage(error, 'Tokens of an OIDC issuer need')
  }
}

function identityOf(claims: JWTPayload, config: OidcConfig): Identity | undefined {
  const { sub = '' } = claims
  if (sub === '' || sub.length > LONGEST_ID) return undefined
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
