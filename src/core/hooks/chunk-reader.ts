import type { HostError, Limits } from '@braidwork/plugin'
import { limitError } from './answer-limit.ts'
import { IdleTimer } from './idle-timer.ts'
import { abortError, timeoutError, timerOf } from './settle.ts'
import type { Sink } from './sink.ts'

/** How far an answer has come, as the stream that brings it tells. */
export class Progress {
  readonly #limits: Limits
  readonly #provider: string
  #chunks = 0
  #news = 0

  constructor(limits: Limits, provider: string) {
    this.#limits = limits
    this.#provider = provider
  }

  /** How often something came that is to be shown. */
  get news(): number {
    return this.#news
  }

  /** @throws {HostError} PROVIDER_FAILED beyond `limits.answer_events` */
  addChunks(count: number): void {
    this.#chunks += count
    if (this.#chunks <= this.#limits.answer_events) return
    throw limitError(this.#limits, 'answer_events', this.#provider)
  }

  /** Takes what chunks came to; a delta without text is nothing. */
  addPartials(partials: readonly unknown[]): void {
    for (let at = 0; at < partials.length; at++) {
      if ((partials[at] as { readonly delta?: unknown } | null)?.delta === '') continue
      this.#news++
      return
    }
  }
}

export interface ChunkReaderOptions {
  /** The longest silence. */
  readonly seconds: number
  /** What the chunks come to; without it each of them is news. */
  readonly progress?: Pick<Progress, 'news'> | undefined
  /** The longest that all of it may take, and the error where it takes longer. */
  readonly whole?: { readonly seconds: number; readonly toError: () => HostError } | undefined
  readonly signal?: AbortSignal | undefined
  readonly toError: (error: unknown) => HostError
}

/**
 * Reads a plugin's iterator to its end. Chunks are handed on, not pulled by an iterator of its own: that
 * would cost a chunk that comes alone two promises more. At whichever end timer and listener are gone, and
 * the iterator is closed; one that hangs cannot hold that up.
 */
export class ChunkReader {
  readonly #source: AsyncIterator<unknown> | Iterator<unknown>
  readonly #sink: Sink<unknown>
  readonly #options: ChunkReaderOptions
  readonly #silence: IdleTimer
  #resolve: () => void = () => undefined
  #reject: (error: unknown) => void = () => undefined
  #isAsking = false
  /** What the progress was when the last chunk was asked for; nothing before the first. */
  #news: number | undefined
  #deadline: NodeJS.Timeout | undefined
  /** Why no more is read, where that is so. */
  #late: HostError | undefined

  constructor(
    chunks: AsyncIterable<unknown> | Iterable<unknown>,
    sink: Sink<unknown>,
    options: ChunkReaderOptions,
  ) {
    const { seconds, toError } = options
    this.#sink = sink
    this.#options = options
    this.#silence = new IdleTimer(timerOf(seconds), () => this.#onError(timeoutError(seconds)))
    try {
      this.#source =
        Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
    } catch (error) {
      throw toError(error)
    }
  }

  /** Fails with a HostError: what the iterator threw, TIMEOUT, ABORTED; or with what `sink` throws. */
  read(): Promise<void> {
    const { signal, whole } = this.#options
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (whole) this.#deadline = setTimeout(this.#onDeadline, timerOf(whole.seconds))
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#pull()
    })
  }

  /** A loop, for many chunks may be there at once. */
  readonly #pull = (): void => {
    while (this.#ask());
  }

  /** Whether a chunk was there, and taken, at once. */
  #ask(): boolean {
    this.#isAsking = true
    try {
      if (this.#options.signal?.aborted) throw abortError(this.#options.signal)
      if (this.#late) throw this.#late
      const result = this.#source.next()
      if (!('then' in result)) return this.#accept(result)
      this.#silence.touch(this.#hasNews())
      onceOnly(result).then(this.#onResult, this.#onError)
    } catch (error) {
      this.#onError(error)
    }
    return false
  }

  #hasNews(): boolean {
    const { progress } = this.#options
    if (!progress) return true
    const hadNews = progress.news !== this.#news
    this.#news = progress.news
    return hadNews
  }

  readonly #onDeadline = (): void => {
    this.#late = this.#options.whole?.toError()
    this.#onError(this.#late)
  }

  readonly #onResult = (result: IteratorResult<unknown>): void => {
    if (this.#isAsking && this.#accept(result)) this.#pull()
  }

  #accept(result: IteratorResult<unknown>): boolean {
    try {
      const { done, value } = result
      this.#isAsking = false
      if (done) this.#end(this.#resolve)
      const pause = done ? undefined : this.#sink(value)
      pause?.then(this.#pull, this.#fail)
      return !(done || pause)
    } catch (error) {
      if (this.#isAsking) this.#onError(error)
      else this.#fail(error)
      return false
    }
  }

  readonly #onAbort = (): void => this.#onError(abortError(this.#options.signal))

  /** Between pulls nothing fails: the next one does, where there is one. */
  readonly #onError = (error: unknown): void => {
    if (this.#isAsking) this.#fail(this.#options.toError(error))
  }

  readonly #fail = (error: unknown): void => {
    this.#end(() => this.#reject(error))
    // Not waited for, as it may be what hangs; an error while closing changes nothing.
    void this.#close().catch(() => undefined)
  }

  #end(settle: () => void): void {
    this.#isAsking = false
    this.#silence.stop()
    clearTimeout(this.#deadline)
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    settle()
  }

  async #close(): Promise<void> {
    await this.#source.return?.()
  }
}

/** A foreign thenable may answer twice. */
function onceOnly<T>(result: PromiseLike<T>): Promise<T> {
  return result instanceof Promise ? result : new Promise((ok, no) => void result.then(ok, no))
}
