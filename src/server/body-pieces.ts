import type { IncomingMessage } from 'node:http'
import { HostError } from '@braidwork/plugin'
import { release } from './release.ts'

/** The pieces of a request's body as they come. */
export interface BodyPieces {
  /** The next; nothing at the end. @throws {HostError} REQUEST_INVALID where the client leaves before that */
  readonly next: () => Promise<Uint8Array | undefined>
  /** Is called with a piece of which nothing is needed any more. */
  readonly release: (piece: Uint8Array) => void
}

/** What Node reads of requests: a web stream between would copy each piece, and its pieces are nobody else's. */
const incoming = new WeakMap<Request, IncomingMessage>()
const opened = new WeakSet<Request>()

/** Lets the body of a request be read from Node itself. */
export function setIncoming(request: Request, from: IncomingMessage): void {
  incoming.set(request, from)
}

/** The body of a request, to be read from its beginning; nothing where that was begun before. */
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
    // A buffer that somebody made may be in use elsewhere.
    release: () => undefined,
  }
}

function nodePieces(from: IncomingMessage): BodyPieces {
  const iterator = from[Symbol.asyncIterator]()
  return { next: () => nextOf(iterator), release }
}

/** A client that leaves before its body is whole is no failure of the server. */
async function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await iterator.next()
    return done ? undefined : value
  } catch (error) {
    throw new HostError('REQUEST_INVALID', 'The body broke off before its end.', { cause: error })
  }
}
