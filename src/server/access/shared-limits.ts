import type { CounterTake } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { AmountLimits, Identity } from '../identity.ts'
import { type CounterParts, CounterWriter } from './counter-writer.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Counters count dollars in billionths, because they hold whole numbers. */
const BILLION = 1e9
/** The `retryAfter` in seconds when an active run has to end first. */
const RUN_PAUSE = 1

/** What model requests used, or may use. */
export interface Amounts {
  readonly tokens: number
  /** US dollars. */
  readonly dollars: number
}

/** The amounts that a run reserves until it ends. */
export interface Reservation {
  /** Counts what a request of the run used. */
  add(used: Amounts): void
  /** Ends the reservation. */
  end(): void
}

/** How each limit is counted. */
const KINDS = {
  requests_per_minute: { window: MINUTE, amount: undefined, unit: 1, words: 'requests per minute' },
  requests_per_day: { window: DAY, amount: undefined, unit: 1, words: 'requests per day' },
  tokens_per_day: { window: DAY, amount: 'tokens', unit: 1, words: 'tokens per day' },
  cost_per_day: { window: DAY, amount: 'dollars', unit: BILLION, words: 'dollars per day' },
} as const satisfies { readonly [K in keyof AmountLimits]: object }
type Kind = keyof typeof KINDS

/** A change of a counter, with what its limit is. */
interface Counted extends CounterTake {
  readonly kind: Kind
  readonly limit: number
  readonly model?: string
}

/** Enforces the limits of tokens and identities that all servers of a storage count together. */
export class SharedLimits {
  readonly #parts: CounterParts
  readonly #writer: CounterWriter

  constructor(parts: CounterParts) {
    this.#parts = parts
    this.#writer = new CounterWriter(parts)
  }

  /**
   * Counts a request. Returns nothing to wait for if no limit applies.
   * @throws {HostError} TOO_MANY_REQUESTS, STORAGE_FAILED
   */
  countRequest(identity: Identity): Promise<unknown> | undefined {
    const requests = this.#countedFor(identity, undefined, undefined)
    return requests.length > 0 ? this.#take(requests) : undefined
  }

  /** Whether tokens or costs of an identity's requests to a model have to be known. */
  countsAmounts(identity: Identity, model: string): boolean {
    const limits = [identity.limits, limitsOf(identity, model)]
    return limits.some((one) => (one?.tokens_per_day ?? one?.cost_per_day) !== undefined)
  }

  /**
   * Counts a request to a model, and reserves the amounts that it may use. They do not stop this run itself, but
   * later ones. Returns undefined if no limit applies.
   * @throws {HostError} TOO_MANY_REQUESTS, STORAGE_FAILED
   */
  async beginRun(
    identity: Identity,
    model: string,
    mayUse: Amounts,
  ): Promise<Reservation | undefined> {
    const counted = [
      ...this.#countedFor(identity, undefined, mayUse),
      ...this.#countedFor(identity, model, undefined),
      ...this.#countedFor(identity, model, mayUse),
    ]
    if (counted.length === 0) return undefined
    await this.#take(counted)
    return this.#reservation(counted)
  }

  /** Resolves when all counted amounts are stored. */
  settled(): Promise<void> {
    return this.#writer.settled()
  }

  #reservation(counted: readonly Counted[]): Reservation {
    const amounts = counted.filter(({ kind }) => KINDS[kind].amount !== undefined)
    let isOver = false
    return {
      add: (used) => {
        const changes = amounts.map(({ kind, ...window }) => ({
          ...window,
          amount: amountOf(kind, used),
          held: 0,
        }))
        if (changes.some(({ amount }) => amount > 0)) this.#writer.add(changes)
      },
      end: () => {
        const reserved = isOver ? [] : amounts.filter(({ held }) => held > 0)
        isOver = true
        const changes = reserved.map((one) => ({ ...one, amount: 0, held: -one.held }))
        if (changes.length > 0) this.#writer.add(changes)
      },
    }
  }

  async #take(counted: readonly Counted[]): Promise<void> {
    const full = await this.#parts.storage.counters.take(counted)
    const [first] = full.filter(({ isSpent }) => isSpent).concat(full)
    const limit = counted.find(({ key }) => key === first?.key)
    if (first && limit) throw over(limit, first.isSpent, this.#parts.environment.now())
  }

  /** The counters of an identity, or of its requests to a model: of requests, or of the amounts that they may use. */
  #countedFor(
    identity: Identity,
    model: string | undefined,
    mayUse: Amounts | undefined,
  ): readonly Counted[] {
    const limits = model === undefined ? identity.limits : limitsOf(identity, model)
    if (!limits) return []
    const now = this.#parts.environment.now()
    const subject = identity.token ?? `identity:${identity.id}`
    return (Object.keys(KINDS) as readonly Kind[]).flatMap((kind): readonly Counted[] => {
      const { window, amount, unit } = KINDS[kind]
      const { [kind]: limit } = limits
      if (limit === undefined || (amount === undefined) !== (mayUse === undefined)) return []
      const startsAt = now - (now % window)
      const change = mayUse ? { amount: 0, held: amountOf(kind, mayUse) } : { amount: 1, held: 0 }
      const key = JSON.stringify(model === undefined ? [subject, kind] : [subject, kind, model])
      const most = Math.max(1, Math.round(limit * unit))
      const of = model === undefined ? {} : { model }
      return [{ key, startsAt, endsAt: startsAt + window, most, ...change, kind, limit, ...of }]
    })
  }
}

function limitsOf({ models }: Identity, model: string): AmountLimits | undefined {
  if (models === undefined || Array.isArray(models)) return undefined
  const limits = models as { readonly [name: string]: AmountLimits }
  return Object.hasOwn(limits, model) ? limits[model] : undefined
}

function amountOf(kind: Kind, amounts: Amounts): number {
  const { amount, unit } = KINDS[kind]
  return amount === undefined ? 0 : Math.ceil(amounts[amount] * unit)
}

function over({ kind, limit, endsAt, model }: Counted, isSpent: boolean, now: number): HostError {
  const of = model === undefined ? '' : ` for the model "${model}"`
  const text = `The limit is ${limit} ${KINDS[kind].words}${of}.`
  if (isSpent) {
    const retryAfter = Math.max(1, Math.ceil((endsAt - now) / 1000))
    return new HostError('TOO_MANY_REQUESTS', text, { retryAfter })
  }
  const hint = 'The amounts that active runs may use reach it. Try again when a run has ended.'
  return new HostError('TOO_MANY_REQUESTS', `${text} ${hint}`, { retryAfter: RUN_PAUSE })
}
