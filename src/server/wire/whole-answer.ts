import {
  Accumulator,
  type EndingEvent,
  type ErrorData,
  type FinishEvent,
  isEnding,
  type Message,
  type Part,
  type RunEvent,
  type ToolCallPart,
} from '@braidwork/plugin'
import type { RunFacts, WireAnswer } from './protocol.ts'
import { type PublicError, publicError } from './public-error.ts'

/** A run's events as one answer that does not stream. Each event is given once, in order, to the ending. */
export interface AnswerEncoder {
  add(event: RunEvent): void
  /** The answer; an error where the run failed, was stopped, or has no ending. */
  answer(): WireAnswer
}

/** What a run came to. */
export interface ShownAnswer {
  /** The messages of the model, of all steps. */
  readonly messages: readonly Message[]
  readonly finish: FinishEvent
}

/** How a protocol prints whole answers and errors. */
export interface AnswerPrinter {
  whole(answer: ShownAnswer, facts: RunFacts): WireAnswer
  error(error: PublicError, facts: RunFacts): WireAnswer
}

/** Gathers a run with the accumulator, and prints what it came to. */
export class WholeAnswer implements AnswerEncoder {
  readonly #facts: RunFacts
  readonly #printer: AnswerPrinter
  readonly #accumulator = new Accumulator()
  #ending: EndingEvent | undefined

  constructor(facts: RunFacts, printer: AnswerPrinter) {
    this.#facts = facts
    this.#printer = printer
  }

  add(event: RunEvent): void {
    if (isEnding(event)) this.#ending = event
    this.#accumulator.add(event)
  }

  answer(): WireAnswer {
    const ending = this.#ending
    if (ending?.type !== 'finish') {
      return this.#printer.error(publicError(errorOf(ending)), this.#facts)
    }
    const messages = this.#accumulator.messages().filter(({ role }) => role === 'assistant')
    return this.#printer.whole({ messages, finish: ending }, this.#facts)
  }
}

/** The error that an ending is to a client of a protocol that knows no others. */
export function errorOf(ending: EndingEvent | undefined): ErrorData {
  if (ending?.type === 'error') return ending.error
  if (ending?.type === 'abort') return { code: 'ABORTED', message: ending.reason }
  return { code: 'RUN_INTERRUPTED', message: 'The run has no ending.' }
}

/** Whether a call is for the client to answer; all others are the host's or the provider's own affair. */
export function isClientCall(part: Part, { clientTools }: RunFacts): part is ToolCallPart {
  return part.type === 'tool-call' && !part.providerExecuted && clientTools.has(part.name)
}
