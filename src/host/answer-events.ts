import { type HostError, toHostError } from '../errors.ts'
import {
  Accumulator,
  type EndingEvent,
  EventChecker,
  type Message,
  type PartialEvent,
  type StreamEvent,
} from '../events/index.ts'

/** Events that may be shown, and what was wrong with the one behind them. */
export interface Accepted {
  readonly events: readonly PartialEvent[]
  readonly fault?: HostError
}

/** The events of one answer: each is checked before it is shown, and all add up to what had arrived. */
export class AnswerEvents {
  readonly #checker = new EventChecker()
  readonly #accumulator = new Accumulator()
  readonly #provider: () => string | undefined

  /** @param provider - the plugin that faults of its answer fall on, once it is known. */
  constructor(provider: () => string | undefined) {
    this.#provider = provider
  }

  /** Takes what a plugin emits. @throws {HostError} EVENTS_INVALID */
  add(event: PartialEvent): void {
    this.#checker.check(event, 'plugin')
    this.#accumulator.add(event)
  }

  /** Takes a list of the answer; what comes before a fault is good. */
  accept(partials: readonly unknown[]): Accepted {
    const events = partials as readonly PartialEvent[]
    let index = 0
    try {
      for (; index < events.length; index++) this.add(events[index] as PartialEvent)
      return { events }
    } catch (error) {
      return { events: events.slice(0, index), fault: this.#toFault(error) }
    }
  }

  /** What is wrong with the answer where it ends with an event of the host's. */
  faultOf(ending: EndingEvent): HostError | undefined {
    try {
      this.#checker.check(ending)
      return undefined
    } catch (error) {
      return this.#toFault(error)
    }
  }

  /** Ends an answer that is not whole: what closes its open parts, and the ending. */
  breakOff(ending: EndingEvent): readonly StreamEvent[] {
    const events: readonly StreamEvent[] = [...this.#checker.closing(), ending]
    for (const event of events) this.#accumulator.add(event)
    return events
  }

  /** An ending of the provider's, which is not shown. */
  end(ending: EndingEvent): void {
    this.#accumulator.add(ending)
  }

  /** What had arrived. */
  messages(): readonly Message[] {
    return this.#accumulator.messages()
  }

  #toFault(error: unknown): HostError {
    const plugin = this.#provider()
    return toHostError(error, { plugin, provider: plugin, hook: 'processChunk', phase: 'partials' })
  }
}
