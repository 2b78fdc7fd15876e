/** Something that is read value by value until nothing is left. */
export interface Reading<T> {
  /** The next value, or nothing at the end. */
  next(): Promise<T | undefined>
  /** Lets go of what it reads from; does not wait for anything. */
  close(): void
}

export interface ReadingOptions<T> {
  /** Begins with the first value that is asked for; the signal aborts when the reader leaves. */
  readonly open: (signal: AbortSignal) => Promise<Reading<T>>
  /** What an error comes out as. */
  readonly toError: (error: unknown) => unknown
}

/**
 * What is read from a socket, as values of a stream that whoever leaves it closes at once, also while a value is
 * waited for; a generator that waits could not be. It ends with a signal, at which it leaves no listener.
 */
export function closeable<T>(outer: AbortSignal, options: ReadingOptions<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new CloseableReading(outer, options) }
}

type Next<T> = IteratorResult<T, undefined>

/** Each value passes here, most of them alone: it costs one promise. */
class CloseableReading<T> implements AsyncIterator<T, undefined> {
  readonly #options: ReadingOptions<T>
  readonly #controller: AbortController
  readonly #unlink: () => void
  #reading: Reading<T> | undefined
  #isOver = false

  constructor(outer: AbortSignal, options: ReadingOptions<T>) {
    this.#options = options
    const { controller, unlink } = linked(outer)
    this.#controller = controller
    this.#unlink = unlink
  }

  next(): Promise<Next<T>> {
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true })
    return this.#reading ? this.#read(this.#reading) : this.#open()
  }

  async return(): Promise<Next<T>> {
    this.#controller.abort('the reader left')
    return this.#end()
  }

  async #open(): Promise<Next<T>> {
    try {
      this.#reading = await this.#options.open(this.#controller.signal)
    } catch (error) {
      return this.#onError(error)
    }
    // The reader may have left while it was opened.
    return this.#isOver ? this.#end() : this.#read(this.#reading)
  }

  #read(reading: Reading<T>): Promise<Next<T>> {
    return reading.next().then(this.#onValue, this.#onError)
  }

  readonly #onValue = (value: T | undefined): Next<T> =>
    value === undefined ? this.#end() : { value, done: false }

  readonly #onError = (error: unknown): never => {
    this.#end()
    throw this.#options.toError(error)
  }

  #end(): Next<T> {
    this.#isOver = true
    this.#unlink()
    this.#reading?.close()
    this.#reading = undefined
    return { value: undefined, done: true }
  }
}

/**
 * A controller that aborts with a signal, until it is unlinked. `AbortSignal.any` will not do: Node keeps
 * its signals for ever once somebody listens to them, and SDKs do.
 */
function linked(outer: AbortSignal): { controller: AbortController; unlink: () => void } {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  return { controller, unlink: () => outer.removeEventListener('abort', onAbort) }
}
