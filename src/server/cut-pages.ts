import type { Sink } from '@braidwork/core/internal'
import type { HostError, RunEvent } from '@braidwork/plugin'
import type { EventPages, Page } from './event-body.ts'

/** Pages that can be cut off: their reader gets an error in place of the rest. */
export class CutPages implements EventPages {
  readonly #pages: EventPages
  #why: HostError | undefined
  #isWhole = false

  constructor(pages: EventPages) {
    this.#pages = pages
  }

  /** Ends the reading at once, even while a batch is awaited. Does nothing to pages that were read to their end. */
  cut(why: HostError): void {
    this.#why ??= why
    void this.#pages.return()
  }

  /** @throws {HostError} the error of {@link cut} */
  async next(): Promise<Page> {
    const page = await this.#pages.next()
    if (page.done) this.#end()
    return page
  }

  /** @throws {HostError} the error of {@link cut} */
  async pipeTo(sink: Sink<readonly RunEvent[]>): Promise<void> {
    await this.#pages.pipeTo(sink)
    this.#end()
  }

  return(): Promise<Page> {
    return this.#pages.return()
  }

  #end(): void {
    if (this.#isWhole) return
    if (this.#why) throw this.#why
    this.#isWhole = true
  }
}
