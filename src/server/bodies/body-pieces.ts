import type { Readable } from 'node:stream'
import { HostError } from '@braidwork/plugin'
import { release } from './release.ts'

/** The body of a request, in pieces as they arrive. */
export interface BodyPieces {
  /**
   * Returns the next piece, or undefined at the end. @throws {HostError} REQUEST_INVALID if the client disconnects
   * first
   */
  readonly next: () => Promise<Uint8Array | undefined>
  /** Called with a piece that is no longer needed. */
  readonly release: (piece: Uint8Array) => void
}

/**
 * Node's own request objects. Reading them directly avoids a web stream, which would copy each piece; it also makes
 * sure that nobody else uses the pieces.
 */
const incoming = new WeakMap<Request, Readable>()
const opened = new WeakSet<Request>()

/** Makes the body of a request readable from Node's own request object. */
export function setIncoming(request: Request, from: Readable): void {
  incoming.set(request, from)
}

/** Opens the body of a request for reading. Returns undefined if it was opened before. */
export function openBody(request: Request): BodyPieces | undefined {
  const from = incoming.get(request)
  if (!from) return webPieces(request)
  if (opened.has(request)) return undefined
  opened.add(request)
  return nodePieces(from)
}

function webPieces({ body, bodyUsed }: Request): BodyPieces | undefined {
  if (bodyUsed || body?.locked) return undefined
  const iterator = body?.[Symbol.asyncIterator]()
  return {
    next: async () => (iterator ? nextOf(iterator) : undefined),
    // The buffer comes from elsewhere and may still be in use, so it is not released.
    release: () => undefined,
  }
}

function nodePieces(from: Readable): BodyPieces {
  const iterator = from[Symbol.asyncIterator]()
  return { next: () => nextOf(iterator), release }
}

/** Reads the next piece. If the client disconnects before the end, the error is the client's, not the server's. */
async function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await iterator.next()
    return done ? undefined : value
  } catch (error) {
    throw new HostError('REQUEST_INVALID', 'The client disconnected before the end of the body.', {
      cause: error,
    })
  }
}
