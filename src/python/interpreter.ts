import { HostError } from '@braidwork/plugin'
import { InterpreterLife, type InterpreterOptions, type Listener } from './interpreter-life.ts'
import { NotBegun } from './not-begun.ts'
import { keepsEnding } from './python-error.ts'
import type { Python } from './venvs/index.ts'

/** Loads a plugin into an interpreter. It is called again for each restarted process. */
export type Loading = (life: InterpreterLife) => Promise<void>

const MOST_RESTARTS = 5
const RESTART_WINDOW_MS = 60_000

/** An interpreter that starts when it is needed, and restarts after it ended, within a limit. */
export class Interpreter {
  readonly #options: InterpreterOptions
  readonly #listeners = new Map<string, Listener>()
  readonly #loadings: Loading[] = []
  readonly #ends: number[] = []
  #executable: string
  #life: InterpreterLife | undefined
  #ready: Promise<void> = Promise.resolve()
  /** The process into which all plugins were loaded. */
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

  /** Registers a user. The returned function releases it; the last release ends the interpreter. */
  use(): () => Promise<void> {
    this.#users += 1
    let isReleased = false
    return async () => {
      if (isReleased) return
      isReleased = true
      if (--this.#users === 0) await this.close()
    }
  }

  /** Whether it has no user and was not closed. */
  get isUnused(): boolean {
    return this.#users === 0 && !this.#isClosed
  }

  /** Ends the interpreter, even if plugins still use it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#life?.stop()
  }

  /** Loads a plugin now, and into each restarted process. */
  async load(loading: Loading): Promise<void> {
    while (!(await hasBegun(loading, await this.living()))) {
      // Another plugin ended the process before this one was loaded. The next process loads it.
    }
    this.#loadings.push(loading)
  }

  /** The error that forbids a restart at present, if any. */
  get refusal(): HostError | undefined {
    const since = performance.now() - RESTART_WINDOW_MS
    while (this.#ends[0] !== undefined && this.#ends[0] < since) this.#ends.shift()
    const [first] = this.#ends
    if (first === undefined || !this.#lastEnd || this.#ends.length <= MOST_RESTARTS)
      return undefined
    return keepsEnding(this.#lastEnd, Math.ceil((first - since) / 1000))
  }

  /** The running process, if it is ready without waiting. */
  get ready(): InterpreterLife | undefined {
    const life = this.#loaded
    return life === undefined || life.isDead || life.trouble ? undefined : life
  }

  /** The Python version, once the process runs. @throws {HostError} PYTHON_CRASHED, HOST_CLOSED */
  async python(): Promise<Python> {
    return (await this.living()).python
  }

  /** A running process, ready for requests. @throws {HostError} PYTHON_CRASHED, HOST_CLOSED */
  async living(): Promise<InterpreterLife> {
    for (;;) {
      while (this.#life?.trouble) await this.#life.trouble
      const life = this.#life?.isDead === false ? this.#life : this.#begin()
      await this.#ready
      // If the process ended while plugins were loaded, try the next one.
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
    // The executable is known now, so later starts skip the launcher script.
    this.#executable = life.python.executable
    for (const loading of this.#loadings) {
      if (!(await hasBegun(loading, life))) return
    }
    this.#loaded = life
  }
}

/** Loads a plugin into a process. @returns false if the process ended before */
async function hasBegun(loading: Loading, life: InterpreterLife): Promise<boolean> {
  try {
    await loading(life)
    return true
  } catch (error) {
    if (error instanceof NotBegun) return false
    throw error
  }
}
