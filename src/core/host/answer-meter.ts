import {
  isObject,
  type Limits,
  type Message,
  type Part,
  type PartialEvent,
} from '@braidwork/plugin'
import { type AnswerLimit, limitError } from '../hooks/index.ts'

/** Bytes that a value counts for beside its texts. */
const VALUE = 8

/** Counts what an answer holds, whoever gives it; every event comes by here. */
export class AnswerMeter {
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
