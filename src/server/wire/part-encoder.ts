import { type EndingEvent, type FinishEvent, isEnding, type RunEvent } from '@braidwork/plugin'
import type { RunFacts, StreamEncoder } from './protocol.ts'
import { type PublicError, publicError } from './public-error.ts'
import { type PartWriter, ShownParts } from './shown-parts.ts'
import { errorOf } from './whole-answer.ts'

/** How a protocol spells one answer, from its beginning to its ending. */
export interface AnswerWriter extends PartWriter {
  first(): string
  /** @param calls how many calls the client was shown */
  finish(finish: FinishEvent, calls: number): string
  fail(error: PublicError): string
}

/** A run as one answer, of parts that come one after the other. */
export class PartEncoder implements StreamEncoder {
  readonly #writer: AnswerWriter
  readonly #parts: ShownParts
  #state: 'new' | 'open' | 'over' = 'new'

  constructor(facts: RunFacts, writer: AnswerWriter) {
    this.#writer = writer
    this.#parts = new ShownParts(writer, facts.clientTools)
  }

  encode(event: RunEvent): string {
    if (this.#state === 'open') return this.#next(event)
    if (this.#state === 'over') return ''
    this.#state = 'open'
    return this.#writer.first() + this.#next(event)
  }

  #next(event: RunEvent): string {
    if (isEnding(event)) return this.#end(event)
    const text = this.#parts.add(event)
    return this.#parts.isTornDown ? text + this.#end(TORN_DOWN) : text
  }

  #end(ending: EndingEvent): string {
    this.#state = 'over'
    if (ending.type !== 'finish') return this.#writer.fail(publicError(errorOf(ending)))
    return this.#parts.finish() + this.#writer.finish(ending, this.#parts.calls)
  }
}

/** A client that was shown a call may have it run already, and cannot be told that it was taken back. */
const TORN_DOWN: EndingEvent = {
  type: 'error',
  error: { code: 'STREAM_INTERRUPTED', message: 'The step began anew after a call was shown.' },
}
