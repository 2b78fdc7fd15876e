import { HostError } from '../../errors.ts'
import type { RunEvent } from '../../events/index.ts'
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

type More = readonly RunEvent[] | Promise<readonly RunEvent[] | undefined> | undefined
type Page = IteratorResult<readonly RunEvent[], undefined>

const END: Page = { value: undefined, done: true }

/**
 * One reader of a run: its events above a number, in lists as they come, to the end of its leg. By hand, and
 * not as a generator in a generator, because every event of every stream passes here.
 */
export class RunReader implements AsyncIterableIterator<readonly RunEvent[], undefined> {
  readonly #source: RunSource
  readonly #signal: AbortSignal | undefined
  readonly #closing = new AbortController()
  #position: number
  #isLoaded = false
  #live: LiveRun | undefined
  /** Whether what is kept in memory of the live run goes on where the reader is. */
  #isCaughtUp = false
  /** Whether another process may store more; asked before what is stored is read. */
  #mayGrow: boolean | undefined
  #isOver = false
  #resume: () => void = () => undefined

  constructor(source: RunSource, after: number, signal?: AbortSignal) {
    this.#source = source
    this.#position = after
    this.#signal = signal
    if (signal?.aborted) this.#close()
    else signal?.addEventListener('abort', this.#close)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<Page> {
    try {
      while (!this.#isOver) {
        const events = await this.#more()
        const last = events?.at(-1)
        if (!events || !last) continue
        this.#position = last.seq
        return { value: events, done: false }
      }
      return END
    } catch (error) {
      this.#close()
      throw error
    }
  }

  /** Leaves the run at once, also while a list is waited for. */
  async return(): Promise<Page> {
    this.#close()
    return END
  }

  /** What there is above the position; nothing where it is to be looked at again. */
  #more(): More {
    if (this.#live) return this.#fromLive(this.#live)
    return this.#isLoaded ? this.#fromStored() : this.#load()
  }

  async #load(): Promise<undefined> {
    await this.#source.load()
    this.#isLoaded = true
    this.#enterLive()
  }

  #enterLive(): void {
    const live = this.#source.live()
    if (!live || this.#isOver) return
    this.#live = live
    this.#isCaughtUp = false
    live.addReader()
  }

  #fromLive(live: LiveRun): More {
    const events = live.after(this.#position)
    if (!events) return this.#older()
    this.#isCaughtUp = true
    if (events.length > 0) return events
    if (live.error) throw live.error
    if (live.isOver) {
      this.#leaveLive(live)
      return undefined
    }
    return new Promise((resolve) => {
      this.#resume = () => resolve(undefined)
      live.onChange(this.#wake)
    })
  }

  /** What is not kept in memory any more, for a reader that has just come. */
  #older(): Promise<readonly RunEvent[]> {
    if (this.#isCaughtUp) {
      throw new HostError('READER_BEHIND', 'The reader is too far behind; it may come back.')
    }
    return this.#source.page(this.#position)
  }

  /** Where its ending was not shown, another process has taken the run over, and has stored it, or will. */
  #leaveLive(live: LiveRun): void {
    if (live.isComplete) this.#close()
    else this.#forgetLive()
  }

  async #fromStored(): Promise<readonly RunEvent[] | undefined> {
    this.#mayGrow ??= (await this.#source.load()).status === 'active'
    const page = await this.#source.page(this.#position)
    if (page.length > 0) return page
    if (!this.#mayGrow) this.#close()
    else {
      this.#mayGrow = undefined
      await this.#source.pause(this.#closing.signal)
      this.#enterLive()
    }
    return undefined
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
