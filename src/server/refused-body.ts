import { orAfter } from './or-after.ts'

/** Bytes of a refused body that are still taken, and milliseconds. */
const MOST_BYTES = 32 << 20
const PATIENCE = 1000

/**
 * Takes what is left of a body that is refused, up to a limit, and keeps nothing of it: a client that still sends
 * when its connection is closed never reads why it was refused.
 */
export async function discardRest(pieces: AsyncIterator<Uint8Array>): Promise<void> {
  const limit = performance.now() + PATIENCE
  for (let size = 0; size < MOST_BYTES; ) {
    const left = limit - performance.now()
    const next = left > 0 ? await orAfter(nextOf(pieces), left, undefined) : undefined
    if (!next) return
    size += next.byteLength
  }
}

/** The same for the body of a request that nobody has begun to read. */
export async function discardBody({ body, bodyUsed }: Request): Promise<void> {
  if (!body || bodyUsed || body.locked) return
  await discardRest(body[Symbol.asyncIterator]())
}

/** Nothing at the end, and where the client left. */
async function nextOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await pieces.next()
    return done ? undefined : value
  } catch {
    return undefined
  }
}
