import type { HostError } from '../errors.ts'
import { abortError, timeoutError, timerOf } from './settle.ts'

export interface ChunkReaderOptions {
  /** The longest silence. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly toError: (error: unknown) => HostError
}

type Source = AsyncIterator<unknown> | Iterator<unknown>

type Chunk = IteratorResult<unknown, undefined>

const END: Chunk = Object.freeze({ value: undefined, done: true })

interface Pull {
  resolve(chunk: Chunk): void
  reject(error: unknown): void
}

/**
 * Pulls from a plugin's iterator. A pull ends with a chunk, the end, or a HostError: what the iterator
 * threw, TIMEOUT after too long a silence, ABORTED. One timer serves all pulls; it and the listener
 * are gone, and the iterator closed, at whichever end. An iterator that hangs cannot hold that up.
 */
export class ChunkReader implements AsyncIterableIterator<unknown, undefined> {
  readonly #source: Source
  readonly #options: ChunkReaderOptions
  #timer: NodeJS.Timeout | undefined
  #pull: Pull | undefined
  #ended = false

  constructor(chunks: AsyncIterable<unknown> | Iterable<unknown>, options: ChunkReaderOptions) {
    this.#options = options
    try {
      this.#source =
        Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
    } catch (error) {
      throw options.toError(error)
    }
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Two promises a pull and no more: what a chunk costs that comes alone is its way. */
  next(): Promise<Chunk> {
    if (this.#ended) return Promise.resolve(END)
    return new Promise((resolve, reject) => {
      this.#pull = { resolve, reject }
      if (this.#options.signal?.aborted) this.#onAbort()
      else this.#ask()
    })
  }

  /** Closes the iterator: a generator's `finally` runs. */
  async return(): Promise<Chunk> {
    this.#leave()
    return END
  }

  #ask(): void {
    try {
      const result = this.#source.next()
      if ('then' in result) {
        this.#arm()
        result.then(this.#onResult, this.#onError)
      } else this.#onResult(result)
    } catch (error) {
      this.#onError(error)
    }
  }

  #arm(): void {
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(this.#onSilence, timerOf(this.#options.seconds))
  }

  readonly #onResult = (result: IteratorResult<unknown>): void => {
    try {
      const { done, value } = result
      if (done) this.#end()
      this.#pull?.resolve(done ? END : { value, done: false })
      this.#pull = undefined
    } catch (error) {
      this.#onError(error)
    }
  }

  readonly #onError = (error: unknown): void => {
    const pull = this.#pull
    // Between pulls nothing fails: the next one does, where there is one.
    if (!pull) return
    this.#pull = undefined
    this.#leave()
    pull.reject(this.#options.toError(error))
  }

  readonly #onSilence = (): void => this.#onError(timeoutError(this.#options.seconds))
  readonly #onAbort = (): void => this.#onError(abortError(this.#options.signal))

  /** Closes the iterator without waiting for it: it may be what hangs. */
  #leave(): void {
    if (this.#ended) return
    this.#end()
    // The request has its ending already; an error while closing changes nothing.
    void this.#close().catch(() => undefined)
  }

  #end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
  }

  async #close(): Promise<void> {
    await this.#source.return?.()
  }
}
