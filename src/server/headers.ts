import { HostError } from '../errors.ts'
import type { WireRequest } from '../wire/protocol.ts'

/** Names the fields of a request that are not honoured. */
export function ignoredHeaders({ ignored }: Pick<WireRequest, 'ignored'>): {
  readonly [name: string]: string
} {
  // A header takes no line breaks and no letters beyond ASCII; names that a client made up may have both.
  const names = ignored.map((name) => name.replaceAll(/[^\x21-\x7e]/g, '?')).join(', ')
  return names === '' ? {} : { 'x-braidwork-ignored': names.slice(0, 1000) }
}

const LONGEST_KEY = 255

/**
 * The key by which a repeated request is known, apart by protocol.
 * @throws {HostError} REQUEST_INVALID
 */
export function idempotencyKeyOf(
  { headers }: Request,
  protocol: string,
): { readonly idempotencyKey?: string } {
  const key = headers.get('idempotency-key')
  if (key === null) return {}
  if (key.length > LONGEST_KEY) {
    const message = `"Idempotency-Key" is at most ${LONGEST_KEY} characters, not ${key.length}.`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/Idempotency-Key' })
  }
  return { idempotencyKey: `${protocol}:${key}` }
}
