import { turnFor } from '@braidwork/core/internal'
import { type Message, type MessagesInput, toMessages } from '@braidwork/plugin'
import { SealedMessages } from '@braidwork/plugin/internal'

/**
 * The messages of a run's requests. Each request repeats those of the request before it, so they are sealed from the
 * second request on: a message is checked once, however many steps follow.
 */
export class RunMessages {
  readonly #given: MessagesInput
  readonly #sealed = new SealedMessages()

  constructor(given: MessagesInput) {
    this.#given = given
  }

  /**
   * The messages that the run was given, and those since it started.
   * @throws {HostError} MESSAGES_INVALID
   */
  async with(since: readonly Message[]): Promise<MessagesInput> {
    if (since.length === 0) return this.#given
    const given = Array.isArray(this.#given) ? this.#given : toMessages(this.#given)
    const more = [...given, ...since].slice(this.#sealed.length)
    await turnFor(more)
    return this.#sealed.with(more)
  }
}
