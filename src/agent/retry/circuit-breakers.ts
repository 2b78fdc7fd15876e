/** The failures in a row after which a breaker opens. AW-23 */
const MOST_FAILURES = 5
/** How long it stays open before one request may probe, in milliseconds. */
const OPEN_FOR = 30_000
/** The wait that others are told while a request probes, in milliseconds: nobody knows how long it takes. */
const PROBE_WAIT = 1000

interface Breaker {
  failures: number
  /** When it lets a probe through; undefined while it is closed. */
  opensAt: number | undefined
  isProbed: boolean
}

/** Whether a request may be sent, and if not, how many milliseconds are left until one may. */
export type Admission =
  | { readonly isAdmitted: true }
  | { readonly isAdmitted: false; readonly leftMs: number }

/** What became of a request that was admitted. `unknown`: it was cancelled. */
export type RequestOutcome = 'answered' | 'failed' | 'unknown'

/**
 * Circuit breakers of models. After 5 failures in a row, none of which a repetition could not mend, a breaker refuses
 * requests for 30 seconds. Then it admits one, whose outcome closes it or keeps it open. Times are milliseconds of a
 * monotonic clock. AW-23
 */
export class CircuitBreakers {
  /** Only breakers with failures are kept. */
  readonly #breakers = new Map<string, Breaker>()

  /** Asks to send a request. An admitted one has to be noted with its outcome. */
  admit(model: string, now: number): Admission {
    const breaker = this.#breakers.get(model)
    if (breaker?.opensAt === undefined) return { isAdmitted: true }
    const leftMs = breaker.opensAt - now
    if (leftMs > 0) return { isAdmitted: false, leftMs }
    if (breaker.isProbed) return { isAdmitted: false, leftMs: PROBE_WAIT }
    breaker.isProbed = true
    return { isAdmitted: true }
  }

  note(model: string, outcome: RequestOutcome, now: number): void {
    if (outcome === 'answered') {
      this.#breakers.delete(model)
      return
    }
    const breaker = this.#breakers.get(model) ?? newBreaker()
    breaker.isProbed = false
    if (outcome === 'unknown') return
    this.#breakers.set(model, breaker)
    breaker.failures++
    if (breaker.failures >= MOST_FAILURES) breaker.opensAt = now + OPEN_FOR
  }

  isOpen(model: string): boolean {
    return this.#breakers.get(model)?.opensAt !== undefined
  }
}

const ofHosts = new WeakMap<object, CircuitBreakers>()

/** The breakers that the runs of a host share. */
export function breakersOf(host: object): CircuitBreakers {
  const known = ofHosts.get(host)
  if (known) return known
  const made = new CircuitBreakers()
  ofHosts.set(host, made)
  return made
}

function newBreaker(): Breaker {
  return { failures: 0, opensAt: undefined, isProbed: false }
}
