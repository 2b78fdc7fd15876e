import type { WireRequest } from '../wire/protocol.ts'

/** Names the fields of a request that are not honoured. */
export function ignoredHeaders({ ignored }: Pick<WireRequest, 'ignored'>): {
  readonly [name: string]: string
} {
  // A header takes no line breaks and no letters beyond ASCII; names that a client made up may have both.
  const names = ignored.map((name) => name.replaceAll(/[^\x21-\x7e]/g, '?')).join(', ')
  return names === '' ? {} : { 'x-braidwork-ignored': names.slice(0, 1000) }
}

/** The key by which a repeated request is known, apart by protocol. */
export function idempotencyKeyOf(
  { headers }: Request,
  protocol: string,
): { readonly idempotencyKey?: string } {
  const key = headers.get('idempotency-key')
  return key === null ? {} : { idempotencyKey: `${protocol}:${key.slice(0, 255)}` }
}
