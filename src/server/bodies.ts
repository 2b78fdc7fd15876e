import { HostError } from '@braidwork/plugin'
import type { Identity } from './identity.ts'
import type { Limits } from './limits.ts'

/** How many bytes of request bodies the server may hold in memory at once. */
export interface FlightLimits {
  /** For the requests of one identity. */
  readonly bodies: number
  /** For all requests together. */
  readonly all_bodies: number
}

/** The `retryAfter` of a refusal, in seconds. */
const PAUSE = 1

/** A body counts as one further request for each of these amounts: bytes, and JSON values. */
const BYTES_OF_ONE = 128 * 1024
const VALUES_OF_ONE = 500

/** Receives the size of one request's body. */
interface Counter {
  /** Called with the size of each piece that arrives. */
  readonly receive: (bytes: number) => void
  /** Called with the size of the whole body. */
  readonly measure: (size: BodySize) => void
}

export interface BodySize {
  readonly bytes: number
  /** The number of values and keys in the JSON. */
  readonly values: number
}

const counters = new WeakMap<Request, Counter>()

/**
 * Counts the bytes of received bodies until their requests are answered, and charges large bodies as several
 * requests.
 */
export class Bodies {
  readonly #limits: FlightLimits
  readonly #of = new Map<string, number>()
  readonly #counts: Pick<Limits, 'countSize'>
  #all = 0

  constructor(limits: FlightLimits, counts: Pick<Limits, 'countSize'>) {
    this.#limits = limits
    this.#counts = counts
  }

  /** Counts the body of a request as it arrives. Call the returned function when the body is no longer needed. */
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
      throw busy(
        `The bodies of your requests in progress would exceed ${bodies} bytes. Try again when one has ended.`,
      )
    }
    if (this.#all + bytes > all)
      throw busy('The server is processing too many large requests. Try again later.')
  }

  #add({ id }: Identity, bytes: number): void {
    const sum = (this.#of.get(id) ?? 0) + bytes
    if (sum > 0) this.#of.set(id, sum)
    else this.#of.delete(id)
    this.#all += bytes
  }
}

/** Counts received bytes of a body. @throws {HostError} TOO_MANY_REQUESTS */
export function countReceived(request: Request, bytes: number): void {
  counters.get(request)?.receive(bytes)
}

/**
 * Charges a request by the size of its body before the body is processed, because a large body takes as much work
 * as many requests.
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
