import { createHash } from 'node:crypto'

/** What a file is found by: the SHA-256 of its bytes, in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
