import { HostError } from '../errors.ts'
import type { Identity } from './identity.ts'

/** What one identity may use. */
export interface IdentityLimits {
  readonly requests_per_minute: number
  /** Runs that are active at once. */
  readonly runs: number
  /** US dollars within 24 hours, as far as costs are known; no limit where it is not said. */
  readonly cost_per_day?: number
}

const MINUTE = 60_000
/** Seconds after which it is worth asking whether a run has ended. */
const RUN_PAUSE = 1
/** How many identities are remembered before those that use nothing are forgotten. */
const MOST_ACCOUNTS = 10_000
const DAY = 24 * 60 * MINUTE

interface Account {
  /** Requests that may still be made, as of `at`. */
  tokens: number
  at: number
  runs: number
  costs: { readonly at: number; readonly amount: number }[]
}

/** Counts what each identity uses. */
export class Limits {
  readonly #limits: IdentityLimits
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(limits: IdentityLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** @throws {HostError} TOO_MANY_REQUESTS */
  countRequest(identity: Identity): void {
    const { requests_per_minute: rate } = this.#limits
    const account = this.#accountOf(identity)
    const now = this.#now()
    account.tokens = Math.min(rate, account.tokens + ((now - account.at) * rate) / MINUTE)
    account.at = now
    if (account.tokens < 1) {
      const retryAfter = ((1 - account.tokens) * MINUTE) / rate / 1000
      throw over(`More than ${rate} requests a minute.`, retryAfter)
    }
    account.tokens--
  }

  /**
   * A run begins; what is answered is to be called when it has ended.
   * @throws {HostError} TOO_MANY_REQUESTS
   */
  beginRun(identity: Identity): () => void {
    const { runs, cost_per_day: most } = this.#limits
    const account = this.#accountOf(identity)
    if (account.runs >= runs) throw over(`More than ${runs} runs at once.`, RUN_PAUSE)
    const wait = most === undefined ? 0 : this.#untilBelow(account, most)
    if (wait > 0) throw over(`The ${most} dollars of a day are spent.`, wait / 1000)
    account.runs++
    let isOver = false
    return () => {
      if (!isOver) account.runs--
      isOver = true
    }
  }

  addCost(identity: Identity, amount: number): void {
    if (this.#limits.cost_per_day === undefined) return
    this.#accountOf(identity).costs.push({ at: this.#now(), amount })
  }

  /** Milliseconds until what was spent within a day is less than `most`; 0 where it is. */
  #untilBelow(account: Account, most: number): number {
    const now = this.#now()
    account.costs = account.costs.filter(({ at }) => at > now - DAY)
    let spent = account.costs.reduce((sum, { amount }) => sum + amount, 0)
    for (const { at, amount } of spent < most ? [] : account.costs) {
      spent -= amount
      if (spent < most) return at + DAY - now
    }
    return 0
  }

  #accountOf({ id }: Identity): Account {
    const { requests_per_minute: tokens } = this.#limits
    const known = this.#accounts.get(id)
    if (known) return known
    if (this.#accounts.size >= MOST_ACCOUNTS) this.#forgetIdle(this.#now())
    const account = { tokens, at: this.#now(), runs: 0, costs: [] }
    this.#accounts.set(id, account)
    return account
  }

  /** After a minute without a request, an account is what a new one is, but for its runs and costs. */
  #forgetIdle(now: number): void {
    if (now - this.#sweptAt < MINUTE) return
    this.#sweptAt = now
    for (const [id, { at, runs, costs }] of this.#accounts) {
      const isSpent = costs.some((cost) => cost.at > now - DAY)
      if (at <= now - MINUTE && runs === 0 && !isSpent) this.#accounts.delete(id)
    }
  }
}

function over(message: string, retryAfter: number): HostError {
  return new HostError('TOO_MANY_REQUESTS', message, { retryAfter })
}
