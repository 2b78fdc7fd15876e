/** A source that is read value by value until it ends. */
export interface Reading<T> {
  /** The next value, or `undefined` at the end. */
  next(): Promise<T | undefined>
  /** Closes the source, without waiting for anything. */
  close(): void
}

export interface ReadingOptions<T> {
  /** Opens the source when the first value is requested. The signal aborts when the consumer stops. */
  readonly open: (signal: AbortSignal) => Promise<Reading<T>>
  /** A value that is given each time after so many milliseconds in which the source has not opened. */
  readonly waiting?: { readonly value: T; readonly milliseconds: number }
  /** Converts an error before it is thrown. */
  readonly toError: (error: unknown) => unknown
}

/**
 * A stream of values from a socket. When its consumer stops, it closes at once, even while a value is pending (a
 * generator could not do that). The outer signal ends it; afterwards no listener remains on the signal.
 */
export function closeable<T>(outer: AbortSignal, options: ReadingOptions<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new CloseableReading(outer, options) }
}

type Next<T> = IteratorResult<T, undefined>

/** This code runs for each value and creates one promise each time. */
class CloseableReading<T> implements AsyncIterator<T, undefined> {
  readonly #options: ReadingOptions<T>
  readonly #controller: AbortController
  readonly #unlink: () => void
  #opening: Promise<Reading<T>> | undefined
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
    const { open, waiting } = this.#options
    let reading: Reading<T> | undefined
    try {
      this.#opening ??= open(this.#controller.signal).then(this.#onOpen)
      reading = await (waiting ? within(this.#opening, waiting.milliseconds) : this.#opening)
    } catch (error) {
      return this.#onError(error)
    }
    if (this.#isOver) return this.#end()
    if (reading) return this.#read(reading)
    return waiting ? { value: waiting.value, done: false } : this.#end()
  }

  readonly #onOpen = (reading: Reading<T>): Reading<T> => {
    // The consumer may have stopped while the source was being opened.
    if (this.#isOver) reading.close()
    else this.#reading = reading
    return reading
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

/** The result of a promise, or `undefined` if it takes longer. */
async function within<R>(promise: Promise<R>, milliseconds: number): Promise<R | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A controller that aborts with a signal until it is unlinked. `AbortSignal.any` is not used: Node never releases its
 * signals once they have a listener, and SDKs add one.
 */
export function linked(outer: AbortSignal): { controller: AbortController; unlink: () => void } {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  return { controller, unlink: () => outer.removeEventListener('abort', onAbort) }
}
