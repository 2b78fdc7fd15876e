import { setImmediate } from 'node:timers'
import { HostError } from '@braidwork/plugin'

/** The longest timer in milliseconds; Node turns longer ones into 1 ms. */
export const LONGEST_TIMER = 2_147_483_647

/** The milliseconds of a limit in seconds, as Node can count them. */
export function timerOf(seconds: number): number {
  return Math.min(seconds * 1000, LONGEST_TIMER)
}

/**
 * Timers of this turn of the event loop that have not been stopped. A plugin that answers in the same turn, as most do,
 * makes its host schedule nothing. CT-02
 */
let waiting = new Set<LimitTimer>()

function startAll(): void {
  const left = waiting
  waiting = new Set()
  for (const timer of left) timer.start()
}

/** The timer of a limit. It starts in the next turn of the event loop, unless it was stopped by then. */
export class LimitTimer {
  readonly #act: () => void
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined

  /** @param milliseconds at most LONGEST_TIMER */
  constructor(act: () => void, milliseconds: number) {
    this.#act = act
    this.#milliseconds = milliseconds
    if (waiting.size === 0) setImmediate(startAll)
    waiting.add(this)
  }

  /** @internal */
  start(): void {
    this.#timer = setTimeout(this.#act, this.#milliseconds)
  }

  stop(): void {
    waiting.delete(this)
    clearTimeout(this.#timer)
  }
}

/**
 * If the chunks that arrive bring no new content, the silence ends at this many times its limit. Before the first
 * content it may take longer: model APIs keep a request that waits for its turn alive, some for 10 minutes.
 */
const MOST_TIMES = 3
const MOST_TIMES_AT_FIRST = 10

/**
 * Calls `onIdle` once after a silence. A chunk only notes the time, because setting a timer costs several times as
 * much. When the timer fires, it is set again for the time that is left.
 */
export class IdleTimer {
  readonly #milliseconds: number
  readonly #onIdle: () => void
  #timer: LimitTimer | undefined
  #touchedAt = 0
  /** The time at which new content last arrived. */
  #newsAt = 0
  /** How often new content arrived, the beginning included. */
  #news = 0

  constructor(milliseconds: number, onIdle: () => void) {
    this.#milliseconds = Math.min(milliseconds, LONGEST_TIMER)
    this.#onIdle = onIdle
  }

  /** Restarts the silence. Without new content, this works only until a few times the limit have passed. */
  touch(isNews = true): void {
    const now = performance.now()
    if (isNews) {
      this.#newsAt = now
      this.#news++
    }
    const times = this.#news > 1 ? MOST_TIMES : MOST_TIMES_AT_FIRST
    if (now - this.#newsAt <= (times - 1) * this.#milliseconds) this.#touchedAt = now
    this.#timer ??= new LimitTimer(this.#onTime, this.#milliseconds)
  }

  stop(): void {
    this.#timer?.stop()
  }

  readonly #onTime = (): void => {
    const left = this.#touchedAt + this.#milliseconds - performance.now()
    this.#timer = left < 1 ? undefined : new LimitTimer(this.#onTime, left)
    if (!this.#timer) this.#onIdle()
  }
}

/**
 * The error after a wait that was too long.
 * @param limit the name of the limit among those of a config
 */
export function timeoutError(
  seconds: number,
  limit?: string,
  fault = 'did not answer within',
): HostError {
  const named = limit === undefined ? '' : ` (limits.${limit})`
  return new HostError('TIMEOUT', `it ${fault} ${seconds} s${named}`, { retryable: true })
}
