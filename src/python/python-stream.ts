/** The functions that a stream needs from its interpreter. */
export interface StreamSource {
  tell(key: string, value: unknown): void
  hold(): () => void
  abandon(interrupt: () => void): () => void
}

/** After this many values are consumed, Python is told that it may send as many more. */
const ROOM_STEP = 32

type Result = IteratorResult<unknown, undefined>
type Ending = { readonly error?: Error }

/** The values of a Python generator: one per pull, or for a provider all that have arrived together. */
export class PythonStream implements AsyncIterableIterator<unknown, undefined> {
  readonly #source: StreamSource
  readonly #number: number
  readonly #joins: boolean
  readonly #release: () => void
  #values: unknown[] = []
  #taken = 0
  #ending: Ending | undefined
  #waiter: (() => void) | undefined
  #closed: Promise<void> | undefined
  #onEnd: () => void = () => undefined

  constructor(source: StreamSource, number: number, joins: boolean) {
    this.#source = source
    this.#number = number
    this.#joins = joins
    this.#release = source.hold()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  add(value: unknown): void {
    if (this.#closed) return
    this.#values.push(value)
    this.#waiter?.()
  }

  end(ending: Ending): void {
    if (this.#ending) return
    this.#ending = ending
    this.#release()
    this.#onEnd()
    this.#waiter?.()
  }

  async next(): Promise<Result> {
    if (this.#values.length === 0 && !this.#ending) {
      await new Promise<void>((resolve) => {
        this.#waiter = resolve
      })
      this.#waiter = undefined
    }
    if (this.#values.length > 0) return { value: this.#take(), done: false }
    const error = this.#ending?.error
    if (error && !this.#closed) throw error
    return { value: undefined, done: true }
  }

  /** Closes the generator. When this settles, the generator's `finally` has run. */
  async return(): Promise<Result> {
    this.#closed ??= this.#close()
    await this.#closed
    return { value: undefined, done: true }
  }

  async #close(): Promise<void> {
    this.#values = []
    if (this.#ending) return
    const ended = new Promise<void>((resolve) => {
      this.#onEnd = resolve
    })
    const shut = (hard: boolean) => this.#source.tell('shut', { g: this.#number, hard })
    shut(false)
    const done = this.#source.abandon(() => shut(true))
    await ended
    done()
    this.#waiter?.()
  }

  #take(): unknown {
    const joined = this.#joins && this.#values.length > 1
    const taken = joined ? this.#values : [this.#values.shift()]
    if (joined) this.#values = []
    this.#taken += taken.length
    if (this.#taken >= ROOM_STEP && !this.#ending) {
      this.#source.tell('room', { g: this.#number, n: this.#taken })
      this.#taken = 0
    }
    // A list that `stream` yields already contains several chunks.
    return joined ? taken.flat() : taken[0]
  }
}
