import type { Sink } from '@braidwork/core/internal'
import { HostError, type RunEvent } from '@braidwork/plugin'
import type { StoredRun } from '../storage/index.ts'
import type { LiveRun } from './live-run.ts'

/** Gives a reader access to one run, stored or live. */
export interface RunSource {
  /** @throws {HostError} RUN_UNKNOWN */
  load(): Promise<StoredRun>
  /** The live run, if this process writes it. */
  live(): LiveRun | undefined
  /**
   * A page of stored events after `after`, in order, of at most so many. An empty page means that there are no more at
   * present.
   */
  page(after: number, most?: number): Promise<readonly RunEvent[]>
  /** Logs that the events a slow reader had not read were deleted. */
  tellBehind(): void
  /** Waits before the next look at a run that another process writes. */
  pause(signal: AbortSignal): Promise<void>
}

type Page = IteratorResult<readonly RunEvent[], undefined>

const END: Page = { value: undefined, done: true }
const NONE: readonly RunEvent[] = []
/** The events that a reader of a live run is given at once from the storage: a slow client holds them in memory. */
const OLDER_PAGE = 200

/**
 * One reader of a run. Yields the events after a sequence number, in batches as they arrive, to the end of the leg.
 */
export class RunReader implements AsyncIterableIterator<readonly RunEvent[], undefined> {
  readonly #source: RunSource
  readonly #signal: AbortSignal | undefined
  readonly #closing = new AbortController()
  #position: number
  #isLoaded = false
  #live: LiveRun | undefined
  /**
   * Whether another process may store more events. Determined before the stored events are read, so that none is
   * missed.
   */
  #mayGrow: boolean | undefined
  #isOver = false
  #resume: () => void = () => undefined

  constructor(source: RunSource, after: number, signal?: AbortSignal) {
    this.#source = source
    this.#position = after
    this.#signal = signal
    // Enter the live run now instead of at the first read. The run counts this reader from here on, even if the
    // client leaves before it reads.
    this.#enterLive()
    this.#isLoaded = this.#live !== undefined
    if (signal?.aborted) this.#close()
    else signal?.addEventListener('abort', this.#close)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Page> {
    const live = this.#live
    if (!live?.tells(this.#position)) return this.#search()
    const events = this.#fresh(live)
    return events ? Promise.resolve(pageOf(events)) : this.#change(live)
  }

  /** Leaves the run at once, even while a batch is awaited. */
  async return(): Promise<Page> {
    this.#close()
    return END
  }

  /**
   * Pushes all batches to `sink` instead of being pulled, and waits for each promise that `sink` returns. Every
   * event of every stream passes here, most of them alone, so a batch of a live run costs no promise.
   */
  async pipeTo(sink: Sink<readonly RunEvent[]>): Promise<void> {
    for (let page = await this.next(); !page.done; page = await this.next()) {
      await this.#give(page.value, sink)
      if (this.#live) await this.#follow(this.#live, sink)
    }
  }

  /** Waits until `sink` is ready for more, or the reader leaves. */
  #give(events: readonly RunEvent[], sink: Sink<readonly RunEvent[]>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resume = resolve
      Promise.resolve(sink(events)).then(resolve, reject)
    })
  }

  /** Passes on the events of a live run until there are no more in memory after the reader's position, or it leaves. */
  #follow(live: LiveRun, sink: Sink<readonly RunEvent[]>): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = (): void => {
        try {
          const wait = this.#giveFresh(live, sink)
          if (wait) wait.then(goOn, reject)
          else if (this.#isOver || !live.tells(this.#position)) resolve()
          else live.onChange(goOn)
        } catch (error) {
          reject(error)
        }
      }
      this.#resume = goOn
      goOn()
    })
  }

  #giveFresh(live: LiveRun, sink: Sink<readonly RunEvent[]>): undefined | Promise<void> {
    const events = this.#isOver ? undefined : this.#fresh(live)
    return events && sink(events)
  }

  /** The events of the live run after the reader's position. */
  #fresh(live: LiveRun): readonly RunEvent[] | undefined {
    const events = live.after(this.#position)
    return events && events.length > 0 ? this.#passed(events) : undefined
  }

  #change(live: LiveRun): Promise<Page> {
    return new Promise((resolve) => {
      const goOn = () => {
        const events = this.#fresh(live)
        resolve(events ? pageOf(events) : this.#search())
      }
      this.#resume = goOn
      live.onChange(this.#wake)
    })
  }

  #passed(events: readonly RunEvent[]): readonly RunEvent[] {
    this.#position = events.at(-1)?.seq ?? this.#position
    return events
  }

  /** Searches live and stored events until it finds some after the reader's position. */
  async #search(): Promise<Page> {
    try {
      while (!this.#isOver) {
        if (this.#live?.tells(this.#position)) return await this.next()
        const events = await this.#more()
        if (events.length > 0) return pageOf(this.#passed(events))
      }
      return END
    } catch (error) {
      this.#close()
      throw error
    }
  }

  /** The next events after the position. An empty list means that the caller should try again. */
  #more(): Promise<readonly RunEvent[]> {
    if (this.#live) return this.#untold(this.#live)
    return this.#isLoaded ? this.#fromStored() : this.#load()
  }

  async #load(): Promise<readonly RunEvent[]> {
    await this.#source.load()
    this.#isLoaded = true
    this.#enterLive()
    return NONE
  }

  #enterLive(): void {
    const live = this.#source.live()
    if (!live || this.#isOver) return
    this.#live = live
    live.addReader()
  }

  /**
   * Handles the cases in which the live run has no events for this reader: older events, and the end of the live
   * run.
   */
  async #untold(live: LiveRun): Promise<readonly RunEvent[]> {
    if (!live.after(this.#position)) return this.#older()
    if (live.error && !live.isComplete) throw live.error
    // If the live run ended without showing its ending, another process has taken the run over and stores the
    // ending.
    if (live.isComplete) this.#close()
    else this.#forgetLive()
    return NONE
  }

  /** Reads events from the storage that are no longer in memory. */
  async #older(): Promise<readonly RunEvent[]> {
    const page = await this.#source.page(this.#position, OLDER_PAGE)
    if (page.length > 0) return page
    this.#source.tellBehind()
    throw new HostError(
      'READER_BEHIND',
      'The reader is too far behind the run: the events that it has not read were deleted.',
    )
  }

  async #fromStored(): Promise<readonly RunEvent[]> {
    this.#mayGrow ??= (await this.#source.load()).status === 'active'
    const page = await this.#source.page(this.#position)
    if (page.length > 0) return page
    if (!this.#mayGrow) this.#close()
    else {
      this.#mayGrow = undefined
      await this.#source.pause(this.#closing.signal)
      this.#enterLive()
    }
    return NONE
  }

  readonly #wake = (): void => this.#resume()

  readonly #close = (): void => {
    if (this.#isOver) return
    this.#isOver = true
    this.#signal?.removeEventListener('abort', this.#close)
    this.#forgetLive()
    // An explicit reason, because the default one would capture a stack trace that nobody reads.
    this.#closing.abort('the reader left')
    this.#resume()
  }

  #forgetLive(): void {
    this.#live?.removeReader()
    this.#live = undefined
  }
}

function pageOf(events: readonly RunEvent[]): Page {
  return { value: events, done: false }
}
