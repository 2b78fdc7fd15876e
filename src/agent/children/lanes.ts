import { abortError } from '@braidwork/core/internal'
import type { ChildLane } from '../storage/index.ts'

/** How many child runs of a tree work at once in each lane. AL-24 */
export type LaneLimits = { readonly [lane in ChildLane]: number }

export const LANE_LIMITS: LaneLimits = { subagent: 8, nested: 4 }
/** How many child runs a tree has in one leg of its root, whatever its models ask for. */
const MOST_RUNS = 2_000

/** A number of places. Those who find none free wait for one, in the order in which they came. */
export class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves when a place is taken. @throws {HostError} ABORTED */
  async take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw abortError(signal)
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(abortError(signal))
      }
      this.#waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Works in a place. @throws {HostError} ABORTED */
  async with<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.take(signal)
    try {
      return await work()
    } finally {
      this.giveBack()
    }
  }

  giveBack(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

/** The place of a run in its lane. While the children of the run work, another run has the place. AL-24 */
export class LanePlace {
  readonly #lane: Places
  readonly #signal: AbortSignal
  #children = 0
  #isHeld = false

  /** @param signal aborts when the run is cancelled */
  constructor(lane: Places, signal: AbortSignal) {
    this.#lane = lane
    this.#signal = signal
  }

  /** Works in the place. @throws {HostError} ABORTED */
  async with<T>(work: () => Promise<T>): Promise<T> {
    await this.#take()
    try {
      return await work()
    } finally {
      this.#giveBack()
    }
  }

  /** Gives the place back while a child works. @throws {HostError} ABORTED */
  async without<T>(work: () => Promise<T>): Promise<T> {
    if (this.#children++ === 0) this.#giveBack()
    try {
      return await work()
    } finally {
      // A run that is cancelled needs no place to end.
      if (--this.#children === 0 && !this.#signal.aborted) await this.#take()
    }
  }

  async #take(): Promise<void> {
    await this.#lane.take(this.#signal)
    this.#isHeld = true
  }

  #giveBack(): void {
    if (this.#isHeld) this.#lane.giveBack()
    this.#isHeld = false
  }
}

/** The lanes that the runs of a tree share, and the number of its runs. */
export class Lanes {
  readonly #lanes: { readonly [lane in ChildLane]: Places }

  /** The most child runs of the tree. */
  readonly most: number
  #begun = 0

  constructor({ subagent, nested }: LaneLimits = LANE_LIMITS, most = MOST_RUNS) {
    this.most = most
    this.#lanes = { subagent: new Places(subagent), nested: new Places(nested) }
  }

  /** Counts a child run that is to begin. False if the tree has had all that it may have. */
  begin(): boolean {
    if (this.#begun >= this.most) return false
    this.#begun++
    return true
  }

  /** @param signal aborts when the run is cancelled */
  placeIn(lane: ChildLane, signal: AbortSignal): LanePlace {
    return new LanePlace(this.#lanes[lane], signal)
  }
}
