import { Accumulator, isObject, type Message, type PartialEvent } from '@braidwork/plugin'
import { type AnyPlugin, toHostError, withFacts, withMessage } from '@braidwork/plugin/internal'
import { faultAlone, placeOf } from './event-trail.ts'

type List = readonly unknown[]

/** How a provider answers. */
export interface Answering {
  readonly provider: AnyPlugin
  /** Whether its chunks are the answer itself, and no format of an API. */
  readonly yieldsEvents: boolean
  /** Whether the host gathers the final message where the provider gives none. CL-45 */
  readonly gathers: boolean
}

/** The final message of a provider that gives none: the host gathers it from the events of the provider. */
export class GatheredMessage {
  readonly #provider: AnyPlugin
  readonly #hook: 'stream' | 'processChunk'
  #message: Accumulator | undefined
  /** The first partials of a provider, until it is known whether it gives pieces. */
  #early: unknown[] | undefined

  constructor({ provider, yieldsEvents, gathers }: Answering) {
    this.#provider = provider
    this.#hook = yieldsEvents ? 'stream' : 'processChunk'
    if (gathers && yieldsEvents) this.#message = new Accumulator()
    else if (gathers) this.#early = []
  }

  /**
   * Adds an event, if the message is gathered.
   * @throws {HostError} EVENTS_INVALID for an event of which no message can be built
   */
  add(event: unknown): void {
    if (!this.#message || !isObject(event)) return
    try {
      this.#message.add(event as unknown as PartialEvent)
    } catch (error) {
      const { name } = this.#provider
      const fault = faultAlone(event) ?? toHostError(error)
      const what = `Provider "${name}" gave an event that is not valid: ${fault.message}`
      throw withFacts(withMessage(fault, what), placeOf(this.#provider, this.#hook))
    }
  }

  /**
   * Follows the partials of `processChunk`. It gathers from the first piece on, and what came before it. A provider that
   * gives parts as events gives finals too.
   */
  follow(events: List, hasPieces: boolean): void {
    if (!this.#message && !this.#early) return
    if (hasPieces) this.#begin()
    if (this.#message) for (const event of events) this.add(event)
    else if (events.some(isOfPart)) this.#early = undefined
    else this.#early?.push(...events)
  }

  /** Gathers nothing: the provider gives finals. */
  leave(): void {
    this.#message = undefined
    this.#early = undefined
  }

  /** The message, if it was gathered. */
  messages(): readonly Message[] {
    return this.#message?.messages() ?? []
  }

  #begin(): void {
    const early = this.#early
    if (!early) return
    this.#early = undefined
    this.#message = new Accumulator()
    for (const event of early) this.add(event)
  }
}

/** Whether an event begins, continues or ends a part. */
function isOfPart(event: unknown): boolean {
  return isObject(event) && 'id' in event
}
