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
    if (account.runs >= runs) throw over(`More than ${runs} runs at once.`)
    if (most !== undefined && this.#spent(account) >= most) {
      throw over(`The ${most} dollars of a day are spent.`)
    }
    account.runs++
    let isOver = false
    return () => {
      if (!isOver) account.runs--
      isOver = true
    }
  }

  addCost(identity: Identity, amount: number): void {
    this.#accountOf(identity).costs.push({ at: this.#now(), amount })
  }

  #spent(account: Account): number {
    const since = this.#now() - DAY
    account.costs = account.costs.filter(({ at }) => at > since)
    return account.costs.reduce((sum, { amount }) => sum + amount, 0)
  }

  #accountOf({ id }: Identity): Account {
    const { requests_per_minute: tokens } = this.#limits
    const account = this.#accounts.get(id) ?? { tokens, at: this.#now(), runs: 0, costs: [] }
    this.#accounts.set(id, account)
    return account
  }
}

function over(message: string, retryAfter?: number): HostError {
  return new HostError('TOO_MANY_REQUESTS', message, { retryAfter })
}
