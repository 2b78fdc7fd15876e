import { randomBytes, randomUUID } from 'node:crypto'
import type { StoredToken } from '@braidwork/agent/internal'
import type { JsonObject } from '@braidwork/plugin'
import { hashOf } from '../identity.ts'

/** What every secret begins with, so that scanners for leaked secrets and people recognize it. */
const PREFIX = 'bw_'
/** 256 random bits cannot be guessed, so a plain hash protects them as well as a slow one. */
const SECRET_BYTES = 32
/** The characters of a secret that are shown after it was issued. */
const SHOWN = PREFIX.length + 6
const SECRET = /^bw_[\w-]{43}$/

/** A new token, with its secret, which is stored nowhere. */
export interface IssuedToken {
  readonly secret: string
  readonly token: StoredToken
}

/** Makes a token for an identity. Nothing is stored. */
export function issueToken(
  identity: JsonObject,
  createdAt: number,
  expiresAt?: number,
): IssuedToken {
  const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
  return {
    secret,
    token: {
      id: `tok_${randomUUID()}`,
      hash: hashOf(secret).toString('hex'),
      prefix: secret.slice(0, SHOWN),
      identity,
      createdAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  }
}

/** Whether a text has the form of a secret that {@link issueToken} makes. Others are not looked up. */
export function isSecret(text: string): boolean {
  return SECRET.test(text)
}
