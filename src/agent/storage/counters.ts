/** A window of time in which something is counted, such as the requests of one token in one minute. */
export interface CounterWindow {
  /** What is counted. */
  readonly key: string
  /** The time at which the window begins, in milliseconds since 1970. Key and beginning identify a counter. */
  readonly startsAt: number
  readonly endsAt: number
}

/** An amount to add to a counter. Amounts are whole numbers, and may be negative. */
export interface CounterChange extends CounterWindow {
  /** What was used for good. */
  readonly amount: number
  /** What is reserved for work in progress. */
  readonly held: number
}

/** A change that a counter takes only as long as it is below its limit. */
export interface CounterTake extends CounterChange {
  /** The limit: a counter whose amount and reservations together reach it takes no more. Above 0. */
  readonly most: number
}

/** A counter that has reached its limit. */
export interface FullCounter {
  readonly key: string
  /** Whether the amount alone reaches the limit. Otherwise a reservation that ends makes room again. */
  readonly isSpent: boolean
}

/** Counts across all processes of a storage. Counters are not part of an export. */
export interface CounterStorage {
  /**
   * Adds to all counters if each is below its limit, and otherwise to none. No two callers take the same room, in
   * whatever process. Returns the counters that are full: none if the amounts were added.
   */
  take(takes: readonly CounterTake[]): Promise<readonly FullCounter[]>
  /** Adds to counters, whatever their limits. */
  add(changes: readonly CounterChange[]): Promise<void>
  /** Deletes the counters whose window ended before a time. */
  expire(before: number): Promise<void>
}
