import type { HostError } from '../errors.ts'
import { abortError, timeoutError, timerOf } from './settle.ts'

export interface ChunkReaderOptions {
  /** The longest silence. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly toError: (error: unknown) => HostError
}

type Source = AsyncIterator<unknown> | Iterator<unknown>

interface Pull {
  resolve(result: IteratorResult<unknown>): void
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

  async next(): Promise<IteratorResult<unknown, undefined>> {
    if (this.#ended) return { value: undefined, done: true }
    if (this.#options.signal?.aborted) return this.#fail(abortError(this.#options.signal))
    try {
      const result = await this.#race()
      if (!result.done) return { value: result.value, done: false }
    } catch (error) {
      return this.#fail(error)
    }
    this.#end()
    return { value: undefined, done: true }
  }

  /** Closes the iterator: a generator's `finally` runs. */
  async return(): Promise<IteratorResult<unknown, undefined>> {
    if (!this.#ended) {
      this.#end()
      // Not awaited, as in `#fail`: what ends a request early must not wait for its iterator.
      void this.#close()
    }
    return { value: undefined, done: true }
  }

  #race(): Promise<IteratorResult<unknown>> {
    return new Promise((resolve, reject) => {
      this.#pull = { resolve, reject }
      const result = this.#source.next()
      if (!('then' in result)) {
        resolve(result)
        return
      }
      this.#arm()
      result.then(resolve, reject)
    })
  }

  #arm(): void {
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(this.#onSilence, timerOf(this.#options.seconds))
  }

  readonly #onSilence = (): void => this.#pull?.reject(timeoutError(this.#options.seconds))
  readonly #onAbort = (): void => this.#pull?.reject(abortError(this.#options.signal))

  #fail(error: unknown): never {
    this.#end()
    // Not awaited: the iterator may be what hangs.
    void this.#close()
    throw this.#options.toError(error)
  }

  #end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
  }

  async #close(): Promise<void> {
    try {
      await this.#source.return?.()
    } catch {
      // The request has its ending already; an error while closing changes nothing.
    }
  }
}
