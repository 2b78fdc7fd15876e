import {
  Accumulator,
  type EndingEvent,
  EventChecker,
  eventsOfAll,
  type HostError,
  isObject,
  type Limits,
  type Message,
  type Part,
  type PartialEvent,
  type StreamEvent,
} from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import { EventTrail } from '../event-trail.ts'
import { type AnswerLimit, limitError, type Sink } from '../hooks/index.ts'
import { AnswerMask } from './answer-mask.ts'

/** The valid events of a list, and the fault of the first invalid event. */
interface Accepted {
  readonly events: readonly PartialEvent[]
  readonly fault?: HostError
}

/** The events of one answer. Each is checked before it is shown, and all of them build the answer's messages. */
export class AnswerEvents {
  /** Learns which hook gives which events. */
  readonly trail = new EventTrail()
  readonly #checker = new EventChecker()
  readonly #accumulator = new Accumulator()
  readonly #provider: () => string | undefined
  #limits: Limits | undefined
  #mask: AnswerMask | undefined
  #meter: AnswerMeter | undefined
  /** Whether any event has arrived. */
  #hasCome = false

  /** @param provider - returns the plugin to which faults of the answer are attributed, once it is known */
  constructor(provider: () => string | undefined) {
    this.#provider = provider
  }

  /** Checks an event that a plugin emits, and returns the events to show for it. @throws {HostError} EVENTS_INVALID */
  emit(event: PartialEvent): readonly PartialEvent[] {
    this.#checker.check(event, 'plugin')
    const shown = this.#masked(event)
    for (const one of shown) this.#accumulator.add(one)
    return shown
  }

  /** Starts to enforce the limits and to mask the secrets. */
  begin(limits: Limits, secrets: readonly string[]): void {
    this.#limits = limits
    this.#meter = new AnswerMeter(limits)
    this.#mask = secrets.length > 0 ? new AnswerMask(secrets) : undefined
  }

  /** Copies the finals with secrets masked. */
  finalsOf(messages: readonly Message[]): readonly Message[] {
    return this.#mask ? this.#mask.value(messages) : messages
  }

  /** Accepts the finals of an answer that arrived without events. @throws {HostError} PROVIDER_FAILED beyond a limit */
  acceptWhole(messages: readonly Message[]): void {
    if (!this.#limits || this.#hasCome) return
    try {
      new AnswerMeter(this.#limits).addMessages(messages)
    } catch (error) {
      // A failed request keeps the messages that are within the limit.
      throw this.#accept(eventsOfAll(messages)).fault ?? error
    }
  }

  /**
   * Passes the valid events of the answer to a sink. A fault fails the request after the events before it have been
   * shown.
   */
  shownTo(sink: Sink<readonly PartialEvent[]>): Sink<readonly unknown[]> {
    return (partials) => {
      const { events, fault } = this.#accept(partials)
      const shown = events.length > 0 ? sink(events) : undefined
      if (!fault) return shown
      if (!shown) throw fault
      return shown.then(() => {
        throw fault
      })
    }
  }

  /** The fault of an answer that ends with this event. Undefined if the answer is valid. */
  faultOf(ending: EndingEvent): HostError | undefined {
    try {
      this.#checker.check(ending)
      return undefined
    } catch (error) {
      return this.#toFault(error)
    }
  }

  /** The events that close the parts that the provider left open at the end of its answer. */
  closeParts(): readonly PartialEvent[] {
    const closing = this.#checker.closing()
    const shown = closing.flatMap((event) => this.#masked(event))
    for (const event of closing) this.#checker.check(event, 'plugin')
    for (const event of shown) this.#accumulator.add(event)
    return shown
  }

  /** Ends an incomplete answer. Returns the events that close its open parts, and the ending. */
  breakOff(ending: EndingEvent): readonly StreamEvent[] {
    const closing = this.#checker.closing().flatMap((event) => this.#masked(event))
    const events: readonly StreamEvent[] = [...closing, ending]
    for (const event of events) this.#accumulator.add(event)
    return events
  }

  /** Adds an ending to the messages without showing it. */
  end(ending: EndingEvent): void {
    this.#accumulator.add(ending)
  }

  /** The messages that have arrived. */
  messages(): readonly Message[] {
    return this.#accumulator.messages()
  }

  #accept(partials: readonly unknown[]): Accepted {
    const events = partials as readonly PartialEvent[]
    this.#hasCome = true
    // Without secrets to mask, the list is shown as it is and needs no copy.
    const shown: PartialEvent[] | undefined = this.#mask && []
    let index = 0
    try {
      for (; index < events.length; index++) this.#take(events[index] as PartialEvent, shown)
      return { events: shown ?? events }
    } catch (error) {
      const fault = this.#toFault(error)
      const isInvalid = fault.code === 'EVENTS_INVALID'
      const blamed = isInvalid ? this.trail.blamed(fault, events, index) : fault
      return { events: shown ?? events.slice(0, index), fault: blamed }
    }
  }

  #take(event: PartialEvent, shown: PartialEvent[] | undefined): void {
    this.#checker.check(event, 'plugin')
    this.#meter?.addEvent(event)
    const next = this.#mask ? this.#mask.next(event) : event
    if (isList(next)) for (const one of next) this.#keep(one, shown)
    else this.#keep(next, shown)
  }

  #keep(event: PartialEvent, shown: PartialEvent[] | undefined): void {
    this.#accumulator.add(event)
    shown?.push(event)
  }

  #masked(event: PartialEvent): readonly PartialEvent[] {
    const next = this.#mask ? this.#mask.next(event) : event
    return isList(next) ? next : [next]
  }

  #toFault(error: unknown): HostError {
    const plugin = this.#provider()
    return toHostError(error, { plugin, provider: plugin, hook: 'processChunk', phase: 'partials' })
  }
}

const isList = Array.isArray as (value: unknown) => value is readonly PartialEvent[]

/** The bytes that each value counts, in addition to its texts. */
const VALUE = 8

/** Measures an answer against the limits. Every event passes through it, whichever plugin made it. */
class AnswerMeter {
  readonly #limits: Limits
  #events = 0
  #bytes = 0
  #parts = 0
  #calls = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** @throws {HostError} PROVIDER_FAILED beyond a limit */
  addEvent(event: PartialEvent): void {
    if (++this.#events > this.#limits.answer_events) throw this.#excess('answer_events')
    const { type } = event
    if (type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call-delta') {
      this.#addBytes(event.delta.length)
    } else this.#addWhole(event)
  }

  /** Counts finals that did not arrive as events. @throws {HostError} PROVIDER_FAILED beyond a limit */
  addMessages(messages: readonly Message[]): void {
    for (const { parts, metadata } of messages) {
      for (const part of parts) this.#addPart(part.type === 'tool-call', part)
      if (metadata) this.#addBytes(sizeOf(metadata))
    }
  }

  #addWhole(event: PartialEvent): void {
    const { type } = event
    // Transient data is shown and not stored, so it does not count as a part.
    if (type === 'data' && event.transient) return
    if (type === 'metadata' || type.endsWith('-end')) this.#addBytes(sizeOf(event))
    else this.#addPart(type === 'tool-call-start', event)
  }

  #addPart(isCall: boolean, part: Part | PartialEvent): void {
    if (++this.#parts > this.#limits.answer_parts) throw this.#excess('answer_parts')
    if (isCall && ++this.#calls > this.#limits.answer_calls) throw this.#excess('answer_calls')
    this.#addBytes(sizeOf(part))
  }

  #addBytes(count: number): void {
    this.#bytes += count
    if (this.#bytes > this.#limits.answer_bytes) throw this.#excess('answer_bytes')
  }

  #excess(limit: AnswerLimit): Error {
    return limitError(this.#limits, limit)
  }
}

/** The approximate size of a JSON value in bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  let size = VALUE
  if (Array.isArray(value)) for (const inner of value) size += sizeOf(inner)
  else if (isObject(value)) for (const key in value) size += key.length + sizeOf(value[key])
  return size
}
