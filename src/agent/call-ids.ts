import type { Result } from '@braidwork/core'
import type { Sink } from '@braidwork/core/internal'
import type { Message, Part, RunEventBody, ToolCallPart } from '@braidwork/plugin'

/**
 * The ids of the calls of a history. Some model APIs repeat theirs from answer to answer, but clients and approvals tell
 * calls apart by them. A later call with an id that is taken gets one of its own, which its result has too, and the
 * model API is sent that id for both.
 */
export class CallIds {
  readonly #taken: Set<string>
  /** The number that the next call with an id gets behind it. */
  readonly #next = new Map<string, number>()

  /** @param taken ids that no call gets */
  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken)
  }

  /** Adds the calls of messages. */
  add(messages: readonly Message[]): void {
    for (const { parts } of messages) {
      for (const part of parts) if (part.type === 'tool-call') this.#taken.add(part.callId)
    }
  }

  /** The ids for the calls of one answer, which may still be discarded. */
  forAnswer(): AnswerIds {
    const own = new Set<string>()
    const isFree = (id: string) => !this.#taken.has(id) && !own.has(id)
    return new AnswerIds((id) => {
      let free = id
      for (let at = this.#next.get(id) ?? 2; !isFree(free); at++) {
        free = `${id}-${at}`
        this.#next.set(id, at)
      }
      own.add(free)
      return free
    })
  }
}

type Executed = Pick<ToolCallPart, 'providerExecuted'>

/** Gives the calls of one answer their ids, in its events and its messages. */
class AnswerIds {
  readonly #freeId: (id: string) => string
  /** The id of each call, by the one that the model API gave it. */
  readonly #ids = new Map<string, string>()
  #isChanged = false

  constructor(freeId: (id: string) => string) {
    this.#freeId = freeId
  }

  /** Changes the events that go to a sink. */
  within(sink: Sink<readonly RunEventBody[]>): Sink<readonly RunEventBody[]> {
    return (events) => {
      for (const event of events) if (event.type === 'tool-call-start') this.#begin(event.id, event)
      return sink(this.#isChanged ? events.map((event) => this.#event(event)) : events)
    }
  }

  /** Changes the messages of the answer. */
  result(result: Result): Result {
    const { messages } = result
    for (const { parts } of messages) {
      for (const part of parts) if (part.type === 'tool-call') this.#begin(part.callId, part)
    }
    if (!this.#isChanged) return result
    const part = (one: Part) => this.#part(one)
    return { ...result, messages: messages.map((one) => ({ ...one, parts: one.parts.map(part) })) }
  }

  /** A call that the provider runs keeps its id, which the provider's own result may name too. */
  #begin(id: string, { providerExecuted }: Executed): void {
    if (this.#ids.has(id)) return
    const free = providerExecuted ? id : this.#freeId(id)
    this.#ids.set(id, free)
    if (free !== id) this.#isChanged = true
  }

  #event(event: RunEventBody): RunEventBody {
    switch (event.type) {
      case 'tool-call-start':
      case 'tool-call-delta':
      case 'tool-call-end':
        return { ...event, id: this.#idOf(event.id) }
      case 'tool-result':
        return { ...event, callId: this.#idOf(event.callId) }
      default:
        return event
    }
  }

  #part(part: Part): Part {
    const hasId = part.type === 'tool-call' || part.type === 'tool-result'
    return hasId ? { ...part, callId: this.#idOf(part.callId) } : part
  }

  #idOf(id: string): string {
    return this.#ids.get(id) ?? id
  }
}
