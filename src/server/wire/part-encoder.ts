import { type EndingEvent, isEnding, type RunEvent } from '@braidwork/plugin'
import { HeldStep } from './held-step.ts'
import type { AnswerWriter } from './part-writer.ts'
import type { RunFacts, StreamEncoder } from './protocol.ts'
import { publicError } from './public-error.ts'
import { ShownParts } from './shown-parts.ts'
import { toldFinish } from './told-finish.ts'
import { errorOf } from './whole-answer.ts'

/** Encodes a run as one response whose parts follow one another. */
export class PartEncoder implements StreamEncoder {
  readonly #writer: AnswerWriter
  readonly #parts: ShownParts
  readonly #held: HeldStep | undefined
  #state: 'new' | 'open' | 'over' = 'new'

  constructor(facts: RunFacts, writer: AnswerWriter) {
    this.#writer = writer
    this.#parts = new ShownParts(writer, facts.clientTools)
    this.#held = facts.holdsText ? new HeldStep() : undefined
  }

  encode(event: RunEvent): string {
    if (this.#state === 'open') return this.#next(event)
    if (this.#state === 'over') return ''
    this.#state = 'open'
    return this.#writer.first() + this.#next(event)
  }

  #next(event: RunEvent): string {
    if (isEnding(event)) return this.#end(event)
    const text = this.#held ? this.#add(this.#held.add(event)) : this.#parts.add(event)
    return this.#parts.isTornDown ? text + this.#end(TORN_DOWN) : text
  }

  #add(events: readonly RunEvent[]): string {
    return events.map((event) => this.#parts.add(event)).join('')
  }

  #end(ending: EndingEvent): string {
    this.#state = 'over'
    if (ending.type !== 'finish') return this.#writer.fail(publicError(errorOf(ending)))
    const held = this.#held ? this.#add(this.#held.take()) : ''
    return held + this.#parts.finish() + this.#writer.finish(toldFinish(ending), this.#parts.calls)
  }
}

/**
 * If a step restarts after a call was sent, the response must fail: the client may already have executed the call,
 * and the protocol cannot take it back.
 */
const TORN_DOWN: EndingEvent = {
  type: 'error',
  error: {
    code: 'STREAM_INTERRUPTED',
    message: 'The step was restarted after a tool call had been sent.',
  },
}
