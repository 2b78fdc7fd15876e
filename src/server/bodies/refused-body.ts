import { orAfter } from '../or-after.ts'
import { type BodyPieces, openBody } from './body-pieces.ts'

/**
 * How much of a refused body is still read: the bytes, the milliseconds between two pieces, and the milliseconds in
 * all.
 */
const MOST_BYTES = 32 << 20
const PATIENCE = 1000
const MOST_TIME = 10_000

/**
 * Reads and drops the rest of a refused body, up to a limit. A client that is still sending when the connection
 * closes would never read the error response.
 */
export async function discardRest(pieces: BodyPieces): Promise<void> {
  const limit = performance.now() + MOST_TIME
  for (let size = 0; size < MOST_BYTES && performance.now() < limit; ) {
    const piece = await orAfter(nextOf(pieces), PATIENCE, undefined)
    if (!piece) return
    size += piece.byteLength
    pieces.release(piece)
  }
}

/** Reads and drops the body of a request that nobody has begun to read. */
export async function discardBody(request: Request): Promise<void> {
  const pieces = openBody(request)
  if (pieces) await discardRest(pieces)
}

/** Returns undefined at the end, and also if the client has disconnected. */
function nextOf(pieces: BodyPieces): Promise<Uint8Array | undefined> {
  return pieces.next().catch(() => undefined)
}
