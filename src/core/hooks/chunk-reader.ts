import type { HostError, Limits } from '@braidwork/plugin'
import { closeSource } from '../open-sources.ts'
import { isOutput } from '../output.ts'
import { IdleTimer, LimitTimer, timeoutError, timerOf } from '../timers.ts'
import { limitError } from './answer-limit.ts'
import { abortError } from './settle.ts'
import type { Sink } from './sink.ts'

/** Counts the chunks of an answer, and how often they brought new content. */
export class Progress {
  readonly #limits: Limits
  readonly #provider: string
  #chunks = 0
  #news = 0

  constructor(limits: Limits, provider: string) {
    this.#limits = limits
    this.#provider = provider
  }

  /** How often new content arrived that the reader will see. */
  get news(): number {
    return this.#news
  }

  /** @throws {HostError} PROVIDER_FAILED beyond `limits.answer_events` */
  addChunks(count: number): void {
    this.#chunks += count
    if (this.#chunks <= this.#limits.answer_events) return
    throw limitError(this.#limits, 'answer_events', this.#provider)
  }

  /** Counts the partials of a pull as one piece of new content, unless none of them shows a reader something. */
  addPartials(partials: readonly unknown[]): void {
    if (partials.some(isOutput)) this.#news++
  }
}

export interface ChunkReaderOptions {
  readonly plugin: object
  /** The longest time without a chunk, in seconds, and its name among the limits of a config. */
  readonly seconds: number
  readonly limit?: string
  /** Tells whether chunks brought new content. Without it, every chunk counts as new content. */
  readonly progress?: Pick<Progress, 'news'> | undefined
  /** The longest time for the whole, in seconds, and the error if it takes longer. */
  readonly whole?: { readonly seconds: number; readonly toError: () => HostError } | undefined
  readonly signal?: AbortSignal | undefined
  readonly toError: (error: unknown) => HostError
}

/**
 * Reads a plugin's iterator to its end and passes each chunk to the sink. An async iterator around it would cost two
 * more promises for a chunk that arrives alone. At the end, also after an error, the timers and the abort listener are
 * removed and the iterator is closed; an iterator that hangs cannot delay that.
 */
export class ChunkReader {
  readonly #source: AsyncIterator<unknown> | Iterator<unknown>
  readonly #sink: Sink<unknown>
  readonly #options: ChunkReaderOptions
  readonly #silence: IdleTimer
  #resolve: () => void = () => undefined
  #reject: (error: unknown) => void = () => undefined
  #isAsking = false
  /** The progress when the last chunk was requested. Undefined before the first request. */
  #news: number | undefined
  #deadline: LimitTimer | undefined
  /** The timeout error, once the deadline has passed. */
  #late: HostError | undefined

  constructor(
    chunks: AsyncIterable<unknown> | Iterable<unknown>,
    sink: Sink<unknown>,
    options: ChunkReaderOptions,
  ) {
    const { seconds, limit, toError } = options
    this.#sink = sink
    this.#options = options
    const silent = () => this.#onError(timeoutError(seconds, limit, 'sent nothing new for'))
    this.#silence = new IdleTimer(timerOf(seconds), silent)
    try {
      this.#source =
        Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
    } catch (error) {
      throw toError(error)
    }
  }

  /** Reads to the end. Rejects with TIMEOUT, ABORTED, the iterator's error as a HostError, or the sink's own error. */
  read(): Promise<void> {
    const { signal, whole } = this.#options
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (whole) this.#deadline = new LimitTimer(this.#onDeadline, timerOf(whole.seconds))
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#pull()
    })
  }

  /** Requests chunks until one is not there yet. A loop, not a recursion, because many chunks may be there at once. */
  readonly #pull = (): void => {
    while (this.#ask());
  }

  /** Requests a chunk. Returns whether it was there and could be passed on without waiting. */
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

  readonly #onAbort = (): void => {
    if (this.#isAsking) this.#onError(abortError(this.#options.signal))
    else closeSource(this.#options.plugin, this.#source)
  }

  /** Fails if the reader waits for a chunk. Otherwise its next request for a chunk fails, if there is one. */
  readonly #onError = (error: unknown): void => {
    if (this.#isAsking) this.#fail(this.#options.toError(error))
  }

  readonly #fail = (error: unknown): void => {
    this.#end(() => this.#reject(error))
    closeSource(this.#options.plugin, this.#source)
  }

  #end(settle: () => void): void {
    this.#isAsking = false
    this.#silence.stop()
    this.#deadline?.stop()
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    settle()
  }
}

/** Makes a real promise of a foreign thenable, which might resolve twice. */
function onceOnly<T>(result: PromiseLike<T>): Promise<T> {
  return result instanceof Promise ? result : new Promise((ok, no) => void result.then(ok, no))
}
