import type { Sink } from '@braidwork/core/internal'
import { HostError, type RunEvent } from '@braidwork/plugin'
import type { StoredRun } from '../storage/index.ts'
import type { LiveRun } from './live-run.ts'

/** Where a reader finds a run. */
export interface RunSource {
  /** @throws {HostError} RUN_UNKNOWN */
  load(): Promise<StoredRun>
  /** The run, where this process writes it. */
  live(): LiveRun | undefined
  /** At most some of the events above a number, in order, out of what is stored. */
  page(after: number): Promise<readonly RunEvent[]>
  /** Waits until it is worth looking again at a run that another process writes. */
  pause(signal: AbortSignal): Promise<void>
}

type Page = IteratorResult<readonly RunEvent[], undefined>

const END: Page = { value: undefined, done: true }
const NONE: readonly RunEvent[] = []

/**
 * One reader of a run: its events above a number, in lists as they come, to the end of its leg.
 */
export class RunReader implements AsyncIterableIterator<readonly RunEvent[], undefined> {
  readonly #source: RunSource
  readonly #signal: AbortSignal | undefined
  readonly #closing = new AbortController()
  #position: number
  #isLoaded = false
  #live: LiveRun | undefined
  /** Whether it has been told by the live run itself: then it may not fall behind it. */
  #isCaughtUp = false
  /** Whether another process may store more; asked before what is stored is read. */
  #mayGrow: boolean | undefined
  #isOver = false
  #resume: () => void = () => undefined

  constructor(source: RunSource, after: number, signal?: AbortSignal) {
    this.#source = source
    this.#position = after
    this.#signal = signal
    // At once, not when it is first asked: it may leave before that, and the run has a reader until then.
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
    this.#isCaughtUp = true
    const events = this.#fresh(live)
    return events ? Promise.resolve(pageOf(events)) : this.#change(live)
  }

  /** Leaves the run at once, also while a list is waited for. */
  async return(): Promise<Page> {
    this.#close()
    return END
  }

  /**
   * Instead of being pulled: tells all lists, and waits where it is told to. Every event of every stream
   * passes here, most of them alone: where the run is live, a list costs no promise.
   */
  async pipeTo(sink: Sink<readonly RunEvent[]>): Promise<void> {
    for (let page = await this.next(); !page.done; page = await this.next()) {
      await this.#give(page.value, sink)
      if (this.#live) await this.#follow(this.#live, sink)
    }
  }

  /** Waits until more may be told, or the reader leaves. */
  #give(events: readonly RunEvent[], sink: Sink<readonly RunEvent[]>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resume = resolve
      Promise.resolve(sink(events)).then(resolve, reject)
    })
  }

  /** Tells what a live run has to say, until it says no more, or the reader leaves or is too far behind. */
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

  /** What the live run has above the position. */
  #fresh(live: LiveRun): readonly RunEvent[] | undefined {
    const events = live.after(this.#position)
    return events && events.length > 0 ? this.#passed(events) : undefined
  }

  #change(live: LiveRun): Promise<Page> {
    return new Promise((resolve) => {
      this.#resume = () => {
        const events = this.#fresh(live)
        resolve(events ? pageOf(events) : this.#search())
      }
      live.onChange(this.#wake)
    })
  }

  #passed(events: readonly RunEvent[]): readonly RunEvent[] {
    this.#position = events.at(-1)?.seq ?? this.#position
    return events
  }

  /** Looks wherever a run may be, until something is found above the position. */
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

  /** What there is above the position; none where it is to be looked at again. */
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
    this.#isCaughtUp = false
    live.addReader()
  }

  /** What the live run does not tell: what it does not keep in memory any more, and what comes after it. */
  async #untold(live: LiveRun): Promise<readonly RunEvent[]> {
    if (!live.after(this.#position)) return this.#older()
    if (live.error) throw live.error
    // Where its ending was not shown, another process has taken the run over, and has stored it, or will.
    if (live.isComplete) this.#close()
    else this.#forgetLive()
    return NONE
  }

  /** For a reader that has just come. */
  #older(): Promise<readonly RunEvent[]> {
    if (this.#isCaughtUp) {
      throw new HostError('READER_BEHIND', 'The reader is too far behind; it may come back.')
    }
    return this.#source.page(this.#position)
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
    // A reason of its own: the default one would take a stack trace for nobody.
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
