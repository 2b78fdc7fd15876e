import { HostError } from '@braidwork/plugin'
import type { Identity } from './identity.ts'
import type { Limits } from './limits.ts'

/** Bytes of bodies that the server has in memory at once. */
export interface FlightLimits {
  /** Of one identity's requests. */
  readonly bodies: number
  /** Of all requests. */
  readonly all_bodies: number
}

/** Seconds after which it is worth sending a body again. */
const PAUSE = 1

/** Bytes, and values of JSON, that a request brings for each further request that it counts as. */
const BYTES_OF_ONE = 128 * 1024
const VALUES_OF_ONE = 500

/** What is told of a request's body. */
interface Counter {
  /** Bytes that have come. */
  readonly receive: (bytes: number) => void
  /** What it is in all. */
  readonly measure: (size: BodySize) => void
}

export interface BodySize {
  readonly bytes: number
  /** Values and keys of its JSON. */
  readonly values: number
}

const counters = new WeakMap<Request, Counter>()

/** Counts the bytes of bodies that were received, until their requests are answered, and what large ones come to. */
export class Bodies {
  readonly #limits: FlightLimits
  readonly #of = new Map<string, number>()
  readonly #counts: Pick<Limits, 'countSize'>
  #all = 0

  constructor(limits: FlightLimits, counts: Pick<Limits, 'countSize'>) {
    this.#limits = limits
    this.#counts = counts
  }

  /** Counts a request's body as it comes; what is answered is to be called when it is needed no more. */
  open(request: Request, identity: Identity): () => void {
    let own = 0
    counters.set(request, {
      receive: (bytes) => {
        this.#assertRoom(identity, bytes)
        own += bytes
        this.#add(identity, bytes)
      },
      measure: (size) => this.#counts.countSize(identity, furtherRequests(size)),
    })
    return () => {
      counters.delete(request)
      this.#add(identity, -own)
      own = 0
    }
  }

  #assertRoom({ id }: Identity, bytes: number): void {
    const { bodies, all_bodies: all } = this.#limits
    if ((this.#of.get(id) ?? 0) + bytes > bodies) {
      throw busy(`Requests with more than ${bodies} bytes are under way for you already.`)
    }
    if (this.#all + bytes > all) throw busy('The server has its hands full of requests.')
  }

  #add({ id }: Identity, bytes: number): void {
    const sum = (this.#of.get(id) ?? 0) + bytes
    if (sum > 0) this.#of.set(id, sum)
    else this.#of.delete(id)
    this.#all += bytes
  }
}

/** Counts bytes of a body that have come. @throws {HostError} TOO_MANY_REQUESTS */
export function countReceived(request: Request, bytes: number): void {
  counters.get(request)?.receive(bytes)
}

/**
 * Counts a request by the size of its body, before it is worked on: a large one takes the server as long as many.
 * @throws {HostError} TOO_MANY_REQUESTS
 */
export function countSize(request: Request, size: BodySize): void {
  counters.get(request)?.measure(size)
}

function furtherRequests({ bytes, values }: BodySize): number {
  return Math.floor(bytes / BYTES_OF_ONE) + Math.floor(values / VALUES_OF_ONE)
}

function busy(message: string): HostError {
  return new HostError('TOO_MANY_REQUESTS', message, { retryAfter: PAUSE })
}
