import { isOutput, type Sink } from '@braidwork/core/internal'
import type { RunEventBody } from '@braidwork/plugin'

/** Holds back what a request sends before its first content, so that a failure before it stays invisible. AW-24 */
export class HeldOutput {
  readonly #sink: Sink<readonly RunEventBody[]>
  #held: RunEventBody[] | undefined = []

  constructor(sink: Sink<readonly RunEventBody[]>) {
    this.#sink = sink
  }

  /** Whether the reader was shown content. */
  get isShown(): boolean {
    return this.#held === undefined
  }

  readonly take: Sink<readonly RunEventBody[]> = (events) => {
    if (this.#held === undefined) return this.#sink(events)
    this.#held.push(...events)
    return events.some(isOutput) ? this.release() : undefined
  }

  /** Passes on what was held back. */
  release(): undefined | Promise<void> {
    const held = this.#held
    this.#held = undefined
    return held && held.length > 0 ? this.#sink(held) : undefined
  }
}
