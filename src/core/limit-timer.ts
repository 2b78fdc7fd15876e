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
