import { HostError } from '@braidwork/plugin'
import type { Identity } from './identity.ts'

/** What one identity may use. */
export interface IdentityLimits {
  readonly requests_per_minute: number
  /** Runs that are active at once. */
  readonly runs: number
  /** US dollars within 24 hours, as far as prices are known; no limit where it is not said. */
  readonly cost_per_day?: number
}

/** Dollars that were spent so many milliseconds ago. */
export interface Spent {
  readonly age: number
  readonly amount: number
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
  /** What the active runs may still cost. */
  reserved: number
  /** What was spent, a minute's in one. */
  costs: Cost[]
  /** What was spent through other servers, as far as it is known here. */
  elsewhere: readonly Cost[]
}

interface Cost {
  readonly at: number
  readonly amount: number
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
    this.#accountWith(identity, 1).tokens--
  }

  /**
   * Counts a large request as so many more. The first that goes beyond the rate is let in, for a single one may be
   * worth more than a minute has; those that follow wait.
   * @throws {HostError} TOO_MANY_REQUESTS
   */
  countSize(identity: Identity, requests: number): void {
    if (requests > 0) this.#accountWith(identity, 0).tokens -= requests
  }

  /** The account of an identity that may still make so many requests. */
  #accountWith(identity: Identity, least: number): Account {
    const { requests_per_minute: rate } = this.#limits
    const account = this.#accountOf(identity)
    const now = this.#now()
    account.tokens = Math.min(rate, account.tokens + ((now - account.at) * rate) / MINUTE)
    account.at = now
    if (account.tokens >= least) return account
    const retryAfter = ((least - account.tokens) * MINUTE) / rate / 1000
    throw over(`More than ${rate} requests a minute; a large one counts as several.`, retryAfter)
  }

  /**
   * A run begins, that may cost so many dollars; what is answered is to be called when it has ended. What it may
   * cost itself is not in its way, but in that of those that come while it is active.
   * @throws {HostError} TOO_MANY_REQUESTS
   */
  beginRun(identity: Identity, mayCost = 0): () => void {
    const { runs, cost_per_day: most } = this.#limits
    const account = this.#accountOf(identity)
    if (account.runs >= runs) throw over(`More than ${runs} runs at once.`, RUN_PAUSE)
    if (most !== undefined) this.#checkCosts(account, most)
    account.runs++
    account.reserved += mayCost
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      account.runs--
      // Sums of fractions go astray by little; where nothing runs, nothing is left of it.
      account.reserved = account.runs === 0 ? 0 : account.reserved - mayCost
    }
  }

  /** Whether what runs cost is of any interest. */
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

  /** What an identity spent within a day through this server. */
  spentBy(identity: Identity): readonly Spent[] {
    const now = this.#now()
    const { costs } = this.#accountOf(identity)
    return costs.map(({ at, amount }) => ({ age: now - at, amount }))
  }

  /** Takes in what an identity spent through others; it counts beside what it spends here. */
  takeElsewhere(identity: Identity, spent: readonly Spent[]): void {
    const now = this.#now()
    const costs = spent.map(({ age, amount }) => ({ at: now - age, amount }))
    this.#accountOf(identity).elsewhere = costs
  }

  #checkCosts(account: Account, most: number): void {
    const wait = this.#untilBelow(account, most)
    if (wait > 0) throw over(`The ${most} dollars of a day are spent.`, wait / 1000)
    const spent = sumOf([...account.costs, ...account.elsewhere])
    if (spent + account.reserved < most) return
    throw over(`What the active runs may cost reaches the ${most} dollars of a day.`, RUN_PAUSE)
  }

  /** Milliseconds until what was spent within a day is less than `most`; 0 where it is. */
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

  /** An account whose requests have all come back is what a new one is, but for its runs and costs. */
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
