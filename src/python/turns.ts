import { leftOf, timerOf } from '@braidwork/core/internal'
import { type HookTurn, MainThread } from './main-thread.ts'
import type { PythonProcess } from './python-process.ts'

/** How an interpreter is told of hooks that nobody waits for any more. */
export interface Cancelling {
  tell(key: string, value: unknown): void
  /** Tells it to the main thread, which has to react in time. */
  urge(key: string, value: unknown): void
  abandon(interrupt: () => void): () => void
}

interface Open {
  readonly turn: HookTurn
  readonly signal: AbortSignal | undefined
}

/**
 * The hooks that run in an interpreter, or wait there. Each one's time counts from its beginning on: on the main thread,
 * which takes them in the order of arrival, or where Python says that it began.
 */
export class Turns {
  readonly #life: Cancelling
  readonly #main: MainThread
  readonly #open = new Map<number, Open>()
  /** How the watch of each ends that does not run on the main thread. */
  readonly #watched = new Map<number, () => void>()

  constructor(life: Cancelling, process: PythonProcess) {
    this.#life = life
    this.#main = new MainThread(process)
  }

  /** Pending while a hanging hook of the main thread is being interrupted. No other request should be sent then. */
  get trouble(): Promise<void> | undefined {
    return this.#main.trouble
  }

  enter(request: number, turn: HookTurn, signal: AbortSignal | undefined): void {
    const open: Open = { turn, signal }
    this.#open.set(request, open)
    if (turn.isPassing) {
      this.#pass(request, open)
      return
    }
    // A hook in another thread may keep the main thread from beginning this one.
    turn.isTold = this.#watched.size > 0
    this.#main.enter(turn)
  }

  leave(request: number): void {
    const open = this.#open.get(request)
    if (!open) return
    this.#open.delete(request)
    if (!open.turn.isPassing) {
      this.#main.leave(open.turn)
      return
    }
    this.#watched.get(request)?.()
    this.#watched.delete(request)
  }

  /** Python says that a hook begins, or that it goes on to wait for the event loop. */
  onTurn(request: number, isBegun: boolean): void {
    const open = this.#open.get(request)
    if (!open) return
    const { turn } = open
    turn.since = isBegun ? performance.now() : 0
    if (isBegun) return
    turn.hasRun = true
    if (turn.isPassing) return
    this.#main.leave(turn)
    turn.isPassing = true
    this.#pass(request, open)
  }

  end(): void {
    this.#main.end()
  }

  #pass(request: number, open: Open): void {
    this.#watched.set(request, this.#watch(request, open))
  }

  /** Enforces the time limit and the cancellation of a hook. Returns a function that ends that. */
  #watch(request: number, { turn, signal }: Open): () => void {
    const limit = timerOf(turn.seconds)
    let done: (() => void) | undefined
    const cancel = (): void => {
      this.#life.tell('cancel', request)
      done ??= this.#life.abandon(() => this.#life.tell('cancel', request))
    }
    const look = (): void => {
      const left = leftOf(turn.since, limit)
      const isWaiting = turn.since === 0
      // If a hook waits this long, what keeps it from its beginning may hang.
      if (isWaiting || left <= 0) this.#life.urge('late', { g: request, w: isWaiting })
      if (left > 0) timer = setTimeout(look, left)
      else done ??= this.#life.abandon(() => this.#life.tell('cancel', request))
    }
    let timer = setTimeout(look, limit)
    signal?.addEventListener('abort', cancel, { once: true })
    return () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      done?.()
    }
  }
}
