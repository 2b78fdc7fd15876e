import type { PythonProcess } from './python-process.ts'

/** A hook on the main thread, or one that waits for it. */
export interface Turn {
  readonly seconds: number
  /** Whether the main thread only begins it, and it goes on elsewhere. */
  readonly isPassing: boolean
  /** When it came to be the one that runs, by `performance.now()`; 0 before that. */
  since: number
}

/** A turn that has not come yet. */
export function turnOf(seconds: number, isPassing = false): Turn {
  return { seconds, isPassing, since: 0 }
}

/** Between one interruption and the next: it may have come where Python must not be interrupted. */
const AGAIN_MS = 50
/** How long Python may take to notice; code in C that holds its lock never does. */
const GRACE_MS = 300
/** How long it has for writing where it hangs. */
const DUMP_MS = 20

/**
 * What Python's main thread is doing, first come first served. The one that runs is interrupted when its
 * time is up; where that does not help, the process is killed.
 */
export class MainThread {
  readonly #process: PythonProcess
  /** The one that runs, and those that wait for it. */
  readonly #turns: Turn[] = []
  #timer: NodeJS.Timeout | undefined
  /** When the timer looks. */
  #due = Number.POSITIVE_INFINITY
  #isEnded = false
  #recovered: () => void = () => undefined
  #trouble: Promise<void> | undefined

  constructor(process: PythonProcess) {
    this.#process = process
  }

  /** While one that hangs is being interrupted: nothing else should come to it. */
  get trouble(): Promise<void> | undefined {
    if (this.#isEnded) return undefined
    const [turn] = this.#turns
    const over = turn ? overdue(turn) : Number.NEGATIVE_INFINITY
    // Whoever waited for it may know sooner than the timer.
    if (!this.#trouble && over > -AGAIN_MS) this.#interrupt(over)
    return this.#trouble
  }

  /** A hook that takes its turn. */
  enter(turn: Turn): void {
    if (this.#isEnded) return
    const now = performance.now()
    const isNext = this.#turns.length === 0
    if (isNext) turn.since = now
    if (isNext && turn.isPassing) return
    this.#turns.push(turn)
    if (!turn.isPassing && now + turn.seconds * 1000 < this.#due) this.#arm(turn.seconds * 1000)
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    this.#recover()
  }

  leave(turn: Turn): void {
    // What had not begun when the process ended never did.
    if (this.#isEnded) return
    const at = this.#turns.indexOf(turn)
    if (at < 0) return
    this.#turns.splice(at, 1)
    if (at > 0) return
    if (this.#trouble) this.#recover()
    this.#goOn()
  }

  /** The next one's turn has come; those on the way to it have begun. */
  #goOn(): void {
    for (let [next] = this.#turns; next; [next] = this.#turns) {
      next.since = performance.now()
      if (!next.isPassing) return
      this.#turns.shift()
    }
  }

  #arm(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (this.#isEnded) return
    this.#due = performance.now() + milliseconds
    this.#timer = setTimeout(() => this.#look(), Math.min(milliseconds, 2_147_483_647))
    this.#timer.unref()
  }

  /** One timer serves all turns: it looks at the one that runs when the first one's time was up. */
  #look(): void {
    this.#due = Number.POSITIVE_INFINITY
    const [turn] = this.#turns
    if (!turn) return
    const over = overdue(turn)
    if (over < 0) this.#arm(-over)
    else this.#interrupt(over)
  }

  #recover(): void {
    this.#trouble = undefined
    this.#recovered()
  }

  #interrupt(over: number): void {
    this.#trouble ??= new Promise((resolve) => {
      this.#recovered = resolve
    })
    if (over < GRACE_MS) {
      this.#process.signal('SIGUSR1')
      this.#arm(AGAIN_MS)
      return
    }
    this.#process.signal('SIGUSR2')
    setTimeout(() => this.#process.kill(), DUMP_MS).unref()
  }
}

/** Milliseconds since a turn's time was up. */
function overdue({ since, seconds }: Turn): number {
  return performance.now() - since - seconds * 1000
}
