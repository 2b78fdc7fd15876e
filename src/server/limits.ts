import { HostError } from '@braidwork/plugin'
import type { Identity } from './identity.ts'

/** The limits of one identity. */
export interface IdentityLimits {
  readonly requests_per_minute: number
  /** The number of runs that may be active at once. */
  readonly runs: number
  /** US dollars per 24 hours. Requests without a known price do not count. By default there is no limit. */
  readonly cost_per_day?: number
}

/** An amount in US dollars, spent `age` milliseconds ago. */
export interface Spent {
  readonly age: number
  readonly amount: number
}

const MINUTE = 60_000
/** The `retryAfter` in seconds when an active run has to end first. */
const RUN_PAUSE = 1
/** From this number of accounts on, idle accounts are forgotten. */
const MOST_ACCOUNTS = 10_000
const DAY = 24 * 60 * MINUTE

interface Account {
  /** The number of requests that the identity could still make at the time `at`. */
  tokens: number
  at: number
  runs: number
  /** The dollars that the active runs may still cost. */
  reserved: number
  /** The costs of recent runs. Costs within one minute are merged. */
  costs: Cost[]
  /** The costs that the identity caused on other servers, as this server last read them. */
  elsewhere: readonly Cost[]
}

interface Cost {
  readonly at: number
  readonly amount: number
}

/** Enforces the rate, run and cost limits of each identity. */
export class Limits {
  readonly #limits: IdentityLimits
  readonly #now: () => number
  readonly #accounts: Map<string, Account>
  #sweptAt = Number.NEGATIVE_INFINITY

  /** @param earlier limits of the same server before they changed. What they counted goes on counting. */
  constructor(limits: IdentityLimits, now: () => number, earlier?: Limits) {
    this.#limits = limits
    this.#now = now
    this.#accounts = earlier ? earlier.#accounts : new Map()
  }

  /** @throws {HostError} TOO_MANY_REQUESTS */
  countRequest(identity: Identity): void {
    this.#accountWith(identity, 1).tokens--
  }

  /**
   * Counts a large request as `requests` further ones. The first request over the rate is accepted, because a
   * single one may count for more than a minute allows; later ones have to wait.
   * @throws {HostError} TOO_MANY_REQUESTS
   */
  countSize(identity: Identity, requests: number): void {
    if (requests > 0) this.#accountWith(identity, 0).tokens -= requests
  }

  /** Returns the account of an identity that may still make at least `least` requests. */
  #accountWith(identity: Identity, least: number): Account {
    const { requests_per_minute: rate } = this.#limits
    const account = this.#accountOf(identity)
    const now = this.#now()
    account.tokens = Math.min(rate, account.tokens + ((now - account.at) * rate) / MINUTE)
    account.at = now
    if (account.tokens >= least) return account
    const retryAfter = ((least - account.tokens) * MINUTE) / rate / 1000
    throw over(
      `The limit is ${rate} requests per minute, and a large request counts as several.`,
      retryAfter,
    )
  }

  /**
   * Counts the start of a run that may cost up to `mayCost` dollars. Call the returned function when the run has
   * ended. The amount does not stop this run itself, but later ones that start while it is active.
   * @throws {HostError} TOO_MANY_REQUESTS
   */
  beginRun(identity: Identity, mayCost = 0): () => void {
    const { runs, cost_per_day: most } = this.#limits
    const account = this.#accountOf(identity)
    if (account.runs >= runs) throw over(`The limit is ${runs} active runs at once.`, RUN_PAUSE)
    if (most !== undefined) this.#checkCosts(account, most)
    account.runs++
    account.reserved += mayCost
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      account.runs--
      // Sums of fractions accumulate rounding errors, so the sum is reset to 0 when no run is active.
      account.reserved = account.runs === 0 ? 0 : account.reserved - mayCost
    }
  }

  /** Whether a cost limit is set, so that the costs of runs must be counted. */
  get countsCosts(): boolean {
    return this.#limits.cost_per_day !== undefined
  }

  addCost(identity: Identity, amount: number): void {
    if (!this.countsCosts || amount <= 0) return
    const { costs } = this.#accountOf(identity)
    const now = this.#now()
    const last = costs.at(-1)
    if (last && now - last.at < MINUTE)
      costs[costs.length - 1] = { ...last, amount: last.amount + amount }
    else costs.push({ at: now, amount })
  }

  /** Returns the amounts that an identity spent on this server, for the last day. */
  spentBy(identity: Identity): readonly Spent[] {
    const now = this.#now()
    const { costs } = this.#accountOf(identity)
    return costs.map(({ at, amount }) => ({ age: now - at, amount }))
  }

  /** Replaces the amounts that an identity spent on other servers. They count towards its limit. */
  takeElsewhere(identity: Identity, spent: readonly Spent[]): void {
    const now = this.#now()
    const costs = spent.map(({ age, amount }) => ({ at: now - age, amount }))
    this.#accountOf(identity).elsewhere = costs
  }

  #checkCosts(account: Account, most: number): void {
    const wait = this.#untilBelow(account, most)
    if (wait > 0) throw over(`The daily limit of ${most} dollars has been spent.`, wait / 1000)
    const spent = sumOf([...account.costs, ...account.elsewhere])
    if (spent + account.reserved < most) return
    throw over(
      `The possible cost of the active runs reaches the daily limit of ${most} dollars. Try again when a run has ended.`,
      RUN_PAUSE,
    )
  }

  /** Milliseconds until the amount spent within a day falls below `most`; 0 if it is below already. */
  #untilBelow(account: Account, most: number): number {
    const now = this.#now()
    const isRecent = ({ at }: Cost) => at > now - DAY
    account.costs = account.costs.filter(isRecent)
    account.elsewhere = account.elsewhere.filter(isRecent)
    const all = [...account.costs, ...account.elsewhere].sort((one, other) => one.at - other.at)
    let spent = sumOf(all)
    for (const { at, amount } of spent < most ? [] : all) {
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
    const account = { tokens, at: this.#now(), runs: 0, reserved: 0, costs: [], elsewhere: [] }
    this.#accounts.set(id, account)
    return account
  }

  /** Deletes accounts that equal a new one: all requests available, no runs, and no costs within a day. */
  #forgetIdle(now: number): void {
    if (now - this.#sweptAt < MINUTE) return
    this.#sweptAt = now
    const { requests_per_minute: rate } = this.#limits
    for (const [id, { at, tokens, runs, costs }] of this.#accounts) {
      const isSpent = costs.some((cost) => cost.at > now - DAY)
      const isFull = tokens + ((now - at) * rate) / MINUTE >= rate
      if (isFull && runs === 0 && !isSpent) this.#accounts.delete(id)
    }
  }
}

function sumOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, { amount }) => sum + amount, 0)
}

function over(message: string, retryAfter: number): HostError {
  return new HostError('TOO_MANY_REQUESTS', message, { retryAfter })
}
