import { linkSignals, refuseMisspelled } from '@braidwork/core/internal'
import { HostError, type RunEvent } from '@braidwork/plugin'

/** An event of a run, with the agent and the conversation that it belongs to. */
export interface AgentEvent {
  readonly agent: string
  readonly conversationId?: string
  readonly event: RunEvent
}

/** Tells a subscriber that it was too slow: so many events were dropped at this place. */
export interface MissedEvents {
  readonly missed: number
}

export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal
  /** How many events may wait for the subscriber; further ones are dropped. The default is 1,000. */
  readonly most?: number
}

/**
 * The events of all conversations from the subscription on. It ends with the loop that reads it, by its
 * signal, or with the runtime or its host.
 */
export type Subscription = AsyncIterableIterator<AgentEvent | MissedEvents, undefined>

const MOST = 1000

/** Passes the events of all runs to subscribers. None of them delays a run or another subscriber. CT-30 */
export class EventFeed {
  readonly #subscribers = new Set<Subscriber>()
  readonly #own = new AbortController()
  readonly #closing: AbortSignal | undefined

  /** @param closing ends all subscriptions */
  constructor(closing?: AbortSignal) {
    this.#closing = closing
  }

  /** @throws {HostError} OPTION_INVALID */
  subscribe(options: SubscribeOptions = {}): Subscription {
    refuseMisspelled('subscribeEvents', options, ['signal', 'most'])
    const { signal, most = MOST } = options
    if (most !== Infinity && !(Number.isInteger(most) && most >= 1)) {
      const message = '"most" of "subscribeEvents" must be a whole number of at least 1.'
      throw new HostError('OPTION_INVALID', message, { pointer: '/most' })
    }
    const over = new AbortController()
    const unlink = linkSignals([signal, this.#closing, this.#own.signal], over)
    const subscriber = new Subscriber(most, () => {
      this.#subscribers.delete(subscriber)
      unlink()
    })
    this.#subscribers.add(subscriber)
    if (over.signal.aborted) subscriber.end()
    else over.signal.addEventListener('abort', () => subscriber.end(), { once: true })
    return subscriber
  }

  /** Ends all subscriptions, and those that are made later. What waits for a subscriber can still be read. */
  close(): void {
    this.#own.abort('the runtime was closed')
  }

  publish(event: AgentEvent): void {
    for (const subscriber of this.#subscribers) subscriber.add(event)
  }
}

type Item = AgentEvent | MissedEvents
type Waiter = (result: IteratorResult<Item, undefined>) => void

class Subscriber implements Subscription {
  readonly #most: number
  readonly #onEnd: () => void
  #items: Item[] = []
  #missed = 0
  #waiters: Waiter[] = []
  #hasEnded = false

  constructor(most: number, onEnd: () => void) {
    this.#most = most
    this.#onEnd = onEnd
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  add(event: AgentEvent): void {
    const waiter = this.#waiters.shift()
    if (waiter) waiter({ value: event, done: false })
    else if (this.#items.length >= this.#most) this.#missed++
    else {
      // The notice stands where the events are missing, and before those that came after them.
      if (this.#missed > 0) this.#items.push(this.#notice())
      this.#items.push(event)
    }
  }

  async next(): Promise<IteratorResult<Item, undefined>> {
    const item = this.#items.shift() ?? (this.#missed > 0 ? this.#notice() : undefined)
    if (item) return { value: item, done: false }
    if (this.#hasEnded) return { value: undefined, done: true }
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#items = []
    this.#missed = 0
    this.end()
    return { value: undefined, done: true }
  }

  /** Takes no more events. Those that wait can still be read. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#onEnd()
    for (const waiter of this.#waiters.splice(0)) waiter({ value: undefined, done: true })
  }

  #notice(): MissedEvents {
    const missed = this.#missed
    this.#missed = 0
    return { missed }
  }
}
