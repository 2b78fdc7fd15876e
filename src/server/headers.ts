import { HostError } from '@braidwork/plugin'
import { PacedHash } from './paced-hash.ts'
import type { WireRequest } from './wire/index.ts'

/** Returns a header that lists the request fields which the server ignored. */
export function ignoredHeaders({ ignored }: Pick<WireRequest, 'ignored'>): {
  readonly [name: string]: string
} {
  // Field names come from the client. Headers allow no line breaks and only ASCII, so all other characters are
  // replaced.
  const names = ignored.map((name) => name.replaceAll(/[^\x21-\x7e]/g, '?')).join(', ')
  return names === '' ? {} : { 'x-braidwork-ignored': names.slice(0, 1000) }
}

/**
 * Returns a header with the number of warnings of an answer. Their texts are for the log: plugins write them, and may
 * quote the config or other people.
 */
export function warningHeaders(warnings: readonly string[]): { readonly [name: string]: string } {
  return warnings.length === 0 ? {} : { 'x-braidwork-warnings': String(warnings.length) }
}

/** Picks the idempotency key and the digest, if present. */
export function repeatKeyIn({ idempotencyKey, digest }: RepeatKey): RepeatKey {
  return {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(digest === undefined ? {} : { digest }),
  }
}

const LONGEST_KEY = 255

/** Identifies a repeated request. */
export interface RepeatKey {
  readonly idempotencyKey?: string
  /** A hash of the request. A repetition must have the same one. */
  readonly digest?: string
}

/**
 * Reads the idempotency key of a request and prefixes it with the protocol, so that keys of different protocols
 * never match.
 * @throws {HostError} REQUEST_INVALID
 */
export async function repeatKeyOf(
  { headers }: Request,
  protocol: string,
  asked: WireRequest,
): Promise<RepeatKey> {
  const key = headers.get('idempotency-key')
  if (key === null) return {}
  if (key.length > LONGEST_KEY) {
    const message = `The header "Idempotency-Key" must have at most ${LONGEST_KEY} characters; it has ${key.length}.`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/Idempotency-Key' })
  }
  return { idempotencyKey: `${protocol}:${key}`, digest: await digestOf(asked) }
}

async function digestOf({ messages, ...asked }: WireRequest): Promise<string> {
  const hash = new PacedHash()
  await hash.add(JSON.stringify(asked))
  for (const message of messages) await hash.add(JSON.stringify(message))
  return hash.digest()
}
