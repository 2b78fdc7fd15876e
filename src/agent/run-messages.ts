import { turnFor } from '@braidwork/core/internal'
import { type MessagesInput, toMessages } from '@braidwork/plugin'
import { SealedMessages } from '@braidwork/plugin/internal'
import { type LegCompaction, shownBefore } from './compaction/index.ts'
import type { RunRecord } from './run-record.ts'

/**
 * The messages of a run's requests. Each request repeats those of the request before it, so they are sealed from the
 * second request on: a message is checked once, however many steps follow.
 */
export class RunMessages {
  readonly #given: MessagesInput
  /** What stands before the messages of the leg: what the run was given, or what a compaction left of it. */
  #before: MessagesInput
  #compaction: LegCompaction | undefined
  #sealed = new SealedMessages()

  constructor(given: MessagesInput) {
    this.#given = given
    this.#before = given
  }

  /**
   * The messages that the run was given, and those since it started, or what a compaction left of them.
   * @throws {HostError} MESSAGES_INVALID
   */
  async with({
    messages,
    compactions,
  }: Pick<RunRecord, 'messages' | 'compactions'>): Promise<MessagesInput> {
    const compaction = compactions.at(-1)
    if (compaction && compaction !== this.#compaction) {
      this.#compaction = compaction
      this.#before = shownBefore(toMessages(this.#given), messages, compaction)
      this.#sealed = new SealedMessages()
    }
    const since = messages.slice(compaction?.cut ?? 0)
    if (since.length === 0) return this.#before
    const before = Array.isArray(this.#before) ? this.#before : toMessages(this.#before)
    const more = [...before, ...since].slice(this.#sealed.length)
    await turnFor(more)
    return this.#sealed.with(more)
  }
}
