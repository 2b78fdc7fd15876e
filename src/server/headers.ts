import { createHash } from 'node:crypto'
import { ownTurn } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { WireRequest } from './wire/index.ts'

/** Names the fields of a request that are not honoured. */
export function ignoredHeaders({ ignored }: Pick<WireRequest, 'ignored'>): {
  readonly [name: string]: string
} {
  // A header takes no line breaks and no letters beyond ASCII; names that a client made up may have both.
  const names = ignored.map((name) => name.replaceAll(/[^\x21-\x7e]/g, '?')).join(', ')
  return names === '' ? {} : { 'x-braidwork-ignored': names.slice(0, 1000) }
}

/** The key of whatever has one. */
export function repeatKeyIn({ idempotencyKey, digest }: RepeatKey): RepeatKey {
  return {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(digest === undefined ? {} : { digest }),
  }
}

const LONGEST_KEY = 255

/** By what a repeated request is known. */
export interface RepeatKey {
  readonly idempotencyKey?: string
  /** Of what was asked for: whoever repeats it asks for the same. */
  readonly digest?: string
}

/**
 * The key by which a repeated request is known, apart by protocol.
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
    const message = `"Idempotency-Key" is at most ${LONGEST_KEY} characters, not ${key.length}.`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/Idempotency-Key' })
  }
  return { idempotencyKey: `${protocol}:${key}`, digest: await digestOf(asked) }
}

/** Characters that are hashed in one turn of the event loop. */
const PIECE = 256 * 1024

async function digestOf({ messages, ...asked }: WireRequest): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(asked))
  let size = 0
  for (const message of messages) {
    const text = JSON.stringify(message)
    for (let at = 0; at < text.length; at += PIECE) {
      hash.update(text.slice(at, at + PIECE))
      size += Math.min(PIECE, text.length - at)
      if (size < PIECE) continue
      size = 0
      await ownTurn()
    }
  }
  return hash.digest('base64url')
}
