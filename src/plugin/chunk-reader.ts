import type { HostError } from '../errors.ts'
import { IdleTimer } from './idle-timer.ts'
import { abortError, timeoutError, timerOf } from './settle.ts'

export interface ChunkReaderOptions {
  /** The longest silence. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly toError: (error: unknown) => HostError
}

/** Takes a chunk; while its promise is pending, the next is not asked for. */
export type TakeChunk = (chunk: unknown) => undefined | Promise<void>

type Chunks = AsyncIterable<unknown> | Iterable<unknown>

/**
 * Reads a plugin's iterator to its end. Fails with a HostError where the iterator does: what it threw,
 * TIMEOUT after too long a silence, ABORTED; or with what `take` throws. Chunks are handed on and not
 * pulled by an iterator of its own: that would cost a chunk that comes alone two promises more.
 */
export function forEachChunk(
  chunks: Chunks,
  take: TakeChunk,
  options: ChunkReaderOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    new ChunkReader(chunks, take, { ...options, resolve, reject }).read()
  })
}

interface Ends {
  resolve(): void
  reject(error: unknown): void
}

/** At whichever end timer and listener are gone, and the iterator is closed; one that hangs cannot hold that up. */
class ChunkReader {
  readonly #source: AsyncIterator<unknown> | Iterator<unknown>
  readonly #take: TakeChunk
  readonly #options: ChunkReaderOptions & Ends
  readonly #silence: IdleTimer
  #isAsking = false
  #isDue = false
  #isLooping = false

  constructor(chunks: Chunks, take: TakeChunk, options: ChunkReaderOptions & Ends) {
    const { seconds, toError } = options
    this.#take = take
    this.#options = options
    this.#silence = new IdleTimer(timerOf(seconds), () => this.#onError(timeoutError(seconds)))
    try {
      this.#source =
        Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
    } catch (error) {
      throw toError(error)
    }
  }

  read(): void {
    this.#options.signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#pull()
  }

  /** A loop, for many chunks may be there at once. */
  readonly #pull = (): void => {
    this.#isDue = true
    if (this.#isLooping) return
    this.#isLooping = true
    while (this.#isDue) this.#ask()
    this.#isLooping = false
  }

  #ask(): void {
    this.#isDue = false
    this.#isAsking = true
    if (this.#options.signal?.aborted) return this.#onAbort()
    try {
      const result = this.#source.next()
      if ('then' in result) {
        this.#silence.touch()
        promiseOf(result).then(this.#onResult, this.#onError)
      } else this.#onResult(result)
    } catch (error) {
      this.#onError(error)
    }
  }

  readonly #onResult = (result: IteratorResult<unknown>): void => {
    if (!this.#isAsking) return
    try {
      const { done, value } = result
      this.#isAsking = false
      if (!done) return this.#give(value)
    } catch (error) {
      return this.#onError(error)
    }
    this.#end()
    this.#options.resolve()
  }

  #give(chunk: unknown): void {
    try {
      const pause = this.#take(chunk)
      if (pause) pause.then(this.#pull, this.#fail)
      else this.#pull()
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #onAbort = (): void => this.#onError(abortError(this.#options.signal))

  /** Between pulls nothing fails: the next one does, where there is one. */
  readonly #onError = (error: unknown): void => {
    if (this.#isAsking) this.#fail(this.#options.toError(error))
  }

  readonly #fail = (error: unknown): void => {
    this.#end()
    // Not waited for, as it may be what hangs; an error while closing changes nothing.
    void this.#close().catch(() => undefined)
    this.#options.reject(error)
  }

  #end(): void {
    this.#isAsking = false
    this.#silence.stop()
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
  }

  async #close(): Promise<void> {
    await this.#source.return?.()
  }
}

/** A foreign thenable may answer twice. */
function promiseOf<T>(result: PromiseLike<T>): Promise<T> {
  if (result instanceof Promise) return result
  return new Promise((resolve, reject) => {
    result.then(resolve, reject)
  })
}
