import type { PythonProcess } from './python-process.ts'

/** A hook that runs, or waits for that. */
export interface HookTurn {
  readonly seconds: number
  /** Whether it runs in a thread of its own or on the event loop, not on the main thread. */
  isPassing: boolean
  /** When it began to run, by `performance.now()`; 0 before, and while it waits for the event loop. */
  since: number
  /** Whether a part of it has run, although it waits. */
  hasRun?: boolean
  /** Whether Python says when it begins. */
  isTold?: boolean
  /** When the main thread was free for it, by `performance.now()`. */
  head?: number
}

/** A turn that has not begun. */
export function turnOf(seconds: number, isPassing = false): HookTurn {
  return { seconds, isPassing, since: 0 }
}

/** Milliseconds between interruptions. One may arrive while Python must not be interrupted. */
const AGAIN_MS = 50
/** Milliseconds for Python to react. C code that holds the interpreter lock never reacts. */
const GRACE_MS = 300
/** Milliseconds for writing a traceback of the hanging code. */
const DUMP_MS = 20

/**
 * Tracks the hooks on Python's main thread, which run in order of arrival. A hook that exceeds its time is interrupted;
 * if it does not end then, the process is killed.
 */
export class MainThread {
  readonly #process: PythonProcess
  /** The running hook, then the waiting ones. */
  readonly #turns: HookTurn[] = []
  #timer: NodeJS.Timeout | undefined
  /** When the timer will check. */
  #due = Number.POSITIVE_INFINITY
  #isEnded = false
  #recovered: () => void = () => undefined
  #trouble: Promise<void> | undefined

  constructor(process: PythonProcess) {
    this.#process = process
  }

  /** Pending while a hanging hook is being interrupted. No other request should be sent then. */
  get trouble(): Promise<void> | undefined {
    if (this.#isEnded) return undefined
    const [turn] = this.#turns
    const over = turn ? overdue(turn) : Number.NEGATIVE_INFINITY
    // A caller whose own timer fired earlier triggers the check.
    if (!this.#trouble && over > -AGAIN_MS) this.#interrupt(over)
    return this.#trouble
  }

  /** Adds a hook to the queue. */
  enter(turn: HookTurn): void {
    if (this.#isEnded) return
    const now = performance.now()
    const isNext = this.#turns.length === 0
    if (isNext) begin(turn)
    this.#turns.push(turn)
    if (now + turn.seconds * 1000 < this.#due) this.#arm(turn.seconds * 1000)
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    this.#recover()
  }

  leave(turn: HookTurn): void {
    // A hook that had not begun when the process ended never begins.
    if (this.#isEnded) return
    const at = this.#turns.indexOf(turn)
    if (at < 0) return
    this.#turns.splice(at, 1)
    if (at > 0) return
    if (this.#trouble) this.#recover()
    const [next] = this.#turns
    if (next) begin(next)
  }

  #arm(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (this.#isEnded) return
    this.#due = performance.now() + milliseconds
    this.#timer = setTimeout(() => this.#look(), Math.min(milliseconds, 2_147_483_647))
    this.#timer.unref()
  }

  /** A single timer serves all turns. It checks the turn that runs when the first limit expires. */
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

/** The main thread comes to a turn, unless code in another thread holds the interpreter's lock. */
function begin(turn: HookTurn): void {
  turn.head = performance.now()
  if (!turn.isTold) turn.since = turn.head
}

/** Milliseconds since a turn exceeded its limit; negative before. */
function overdue({ since, head = 0, seconds }: HookTurn): number {
  return performance.now() - (since || head) - seconds * 1000
}
