import { type BodyPieces, openBody } from './body-pieces.ts'
import { orAfter } from './or-after.ts'

/** Bytes of a refused body that are still taken, and milliseconds: between two pieces, and in all. */
const MOST_BYTES = 32 << 20
const PATIENCE = 1000
const MOST_TIME = 10_000

/**
 * Takes what is left of a body that is refused, up to a limit, and keeps nothing of it: a client that still sends
 * when its connection is closed never reads why it was refused.
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

/** The same for the body of a request that nobody has begun to read. */
export async function discardBody(request: Request): Promise<void> {
  const pieces = openBody(request)
  if (pieces) await discardRest(pieces)
}

/** Nothing at the end, and where the client left. */
function nextOf(pieces: BodyPieces): Promise<Uint8Array | undefined> {
  return pieces.next().catch(() => undefined)
}
