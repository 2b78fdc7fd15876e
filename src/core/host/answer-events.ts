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
import { type AnswerLimit, limitError } from '../hooks/index.ts'
import { AnswerMask } from './answer-mask.ts'

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
  #limits: Limits | undefined
  #mask: AnswerMask | undefined
  #meter: AnswerMeter | undefined
  /** Whether anything came as an event. */
  #hasCome = false

  /** @param provider - the plugin that faults of its answer fall on, once it is known. */
  constructor(provider: () => string | undefined) {
    this.#provider = provider
  }

  /** Takes what a plugin emits, and gives what is to be shown of it. @throws {HostError} EVENTS_INVALID */
  emit(event: PartialEvent): readonly PartialEvent[] {
    this.#checker.check(event, 'plugin')
    const shown = this.#masked(event)
    for (const one of shown) this.#accumulator.add(one)
    return shown
  }

  /** Holds the answer to limits from here on, and takes the secrets out of it. */
  begin(limits: Limits, secrets: readonly string[]): void {
    this.#limits = limits
    this.#meter = new AnswerMeter(limits)
    this.#mask = secrets.length > 0 ? new AnswerMask(secrets) : undefined
  }

  /** Finals without the secrets in them. */
  finalsOf(messages: readonly Message[]): readonly Message[] {
    return this.#mask ? this.#mask.value(messages) : messages
  }

  /** Takes the finals of an answer, which may have come in one piece. @throws {HostError} PROVIDER_FAILED beyond a limit */
  acceptWhole(messages: readonly Message[]): void {
    if (!this.#limits || this.#hasCome) return
    try {
      new AnswerMeter(this.#limits).addMessages(messages)
    } catch (error) {
      // What fits is what had arrived.
      throw this.accept(eventsOfAll(messages)).fault ?? error
    }
  }

  /** Takes a list of the answer; what comes before a fault is good. */
  accept(partials: readonly unknown[]): Accepted {
    const events = partials as readonly PartialEvent[]
    this.#hasCome = true
    // Where nothing is masked, the list is shown as it is.
    const shown: PartialEvent[] | undefined = this.#mask && []
    let index = 0
    try {
      for (; index < events.length; index++) this.#take(events[index] as PartialEvent, shown)
      return { events: shown ?? events }
    } catch (error) {
      return { events: shown ?? events.slice(0, index), fault: this.#toFault(error) }
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

  /** What closes the parts of a whole answer that its provider left open. */
  closeParts(): readonly PartialEvent[] {
    const closing = this.#checker.closing()
    const shown = closing.flatMap((event) => this.#masked(event))
    for (const event of closing) this.#checker.check(event, 'plugin')
    for (const event of shown) this.#accumulator.add(event)
    return shown
  }

  /** Ends an answer that is not whole: what closes its open parts, and the ending. */
  breakOff(ending: EndingEvent): readonly StreamEvent[] {
    const closing = this.#checker.closing().flatMap((event) => this.#masked(event))
    const events: readonly StreamEvent[] = [...closing, ending]
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

/** Bytes that a value counts for beside its texts. */
const VALUE = 8

/** Counts what an answer holds, whoever gives it; every event comes by here. */
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

  /** Finals that did not come as events. @throws {HostError} PROVIDER_FAILED beyond a limit */
  addMessages(messages: readonly Message[]): void {
    for (const { parts, metadata } of messages) {
      for (const part of parts) this.#addPart(part.type === 'tool-call', part)
      if (metadata) this.#addBytes(sizeOf(metadata))
    }
  }

  #addWhole(event: PartialEvent): void {
    const { type } = event
    // What is shown and not kept is no part.
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

/** About the bytes of a JSON value. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  let size = VALUE
  if (Array.isArray(value)) for (const inner of value) size += sizeOf(inner)
  else if (isObject(value)) for (const key in value) size += key.length + sizeOf(value[key])
  return size
}
