import { HostError } from '@braidwork/plugin'
import type { Python } from './find-python.ts'
import { InterpreterLife, type InterpreterOptions, type Listener } from './interpreter-life.ts'
import { NotBegun } from './not-begun.ts'
import { keepsEnding } from './python-error.ts'

/** A plugin as it was told to the interpreter; told again to each one that takes its place. */
export type Loading = (life: InterpreterLife) => Promise<void>

const MOST_RESTARTS = 5
const RESTART_WINDOW_MS = 60_000

/** An interpreter that begins when it is needed, and again after it ended; not too often. */
export class Interpreter {
  readonly #options: InterpreterOptions
  readonly #listeners = new Map<string, Listener>()
  readonly #loadings: Loading[] = []
  readonly #ends: number[] = []
  #executable: string
  #life: InterpreterLife | undefined
  #ready: Promise<void> = Promise.resolve()
  /** The life that all plugins were told to. */
  #loaded: InterpreterLife | undefined
  #lastEnd: HostError | undefined
  #users = 0
  #isClosed = false

  constructor(options: InterpreterOptions) {
    this.#options = options
    this.#executable = options.executable
  }

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, listener)
  }

  /** Another plugin of it; the one that releases it last ends it. */
  use(): () => Promise<void> {
    this.#users += 1
    let isReleased = false
    return async () => {
      if (isReleased) return
      isReleased = true
      if (--this.#users === 0) await this.close()
    }
  }

  /** Ends it, whoever uses it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#life?.stop()
  }

  /** What is to be told to it now, and to each that takes its place. */
  async load(loading: Loading): Promise<void> {
    while (!(await hasBegun(loading, await this.living()))) {
      // Another plugin has ended the interpreter before its turn came: the next one is told of it.
    }
    this.#loadings.push(loading)
  }

  /** Why it is not started again, or nothing. */
  get refusal(): HostError | undefined {
    const since = performance.now() - RESTART_WINDOW_MS
    while (this.#ends[0] !== undefined && this.#ends[0] < since) this.#ends.shift()
    const [first] = this.#ends
    if (first === undefined || !this.#lastEnd || this.#ends.length <= MOST_RESTARTS)
      return undefined
    return keepsEnding(this.#lastEnd, Math.ceil((first - since) / 1000))
  }

  /** The life that runs, where nothing has to be waited for. */
  get ready(): InterpreterLife | undefined {
    const life = this.#loaded
    return life === undefined || life.isDead || life.trouble ? undefined : life
  }

  /** Which Python it is, once it runs. @throws {HostError} PYTHON_CRASHED, HOST_CLOSED */
  async python(): Promise<Python> {
    return (await this.living()).python
  }

  /** The life that runs, ready for requests. @throws {HostError} PYTHON_CRASHED, HOST_CLOSED */
  async living(): Promise<InterpreterLife> {
    for (;;) {
      while (this.#life?.trouble) await this.#life.trouble
      const life = this.#life?.isDead === false ? this.#life : this.#begin()
      await this.#ready
      // One that ended while it was told of its plugins was none for whom waited.
      if (!life.isDead) return life
    }
  }

  #begin(): InterpreterLife {
    if (this.#isClosed) throw new HostError('HOST_CLOSED', 'The host was closed; create another.')
    const { refusal } = this
    if (refusal) throw refusal
    const options = { ...this.#options, executable: this.#executable }
    const life = new InterpreterLife(options, this.#listeners, (error) => {
      this.#lastEnd = error
      this.#ends.push(performance.now())
    })
    this.#life = life
    this.#ready = this.#loadAll(life)
    return life
  }

  async #loadAll(life: InterpreterLife): Promise<void> {
    await life.ready
    // Where a script had to look it up, it is started at once from now on.
    this.#executable = life.python.executable
    for (const loading of this.#loadings) {
      if (!(await hasBegun(loading, life))) return
    }
    this.#loaded = life
  }
}

/** Tells a plugin to a life. @returns whether it came to that before the life ended */
async function hasBegun(loading: Loading, life: InterpreterLife): Promise<boolean> {
  try {
    await loading(life)
    return true
  } catch (error) {
    if (error instanceof NotBegun) return false
    throw error
  }
}
