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
import { toldFinish } from './told-finish.ts'

/**
 * Encodes the events of a run as one response that does not stream. It is given each event once, in order, up to
 * the ending.
 */
export interface AnswerEncoder {
  add(event: RunEvent): void
  /** Returns the response, or an error if the run failed, was stopped, or has no ending. */
  answer(): WireAnswer
}

/** The complete output of a run, as a client may be shown it. */
export interface ShownAnswer {
  /** The model's messages of all steps. */
  readonly messages: readonly Message[]
  /** The same, with the results of calls that the host ran. */
  readonly all: readonly Message[]
  readonly finish: FinishEvent
}

/** Formats whole responses and errors in a protocol. */
export interface AnswerPrinter {
  whole(answer: ShownAnswer, facts: RunFacts): WireAnswer
  error(error: PublicError, facts: RunFacts): WireAnswer
}

/** Collects the events of a run with an accumulator, and formats the result. */
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
    const all = this.#accumulator.messages()
    const messages = all.filter(({ role }) => role === 'assistant')
    return this.#printer.whole({ messages, all, finish: toldFinish(ending) }, this.#facts)
  }
}

/** Returns the error for an ending, in protocols that know only errors as abnormal endings. */
export function errorOf(ending: EndingEvent | undefined): ErrorData {
  if (ending?.type === 'error') return ending.error
  if (ending?.type === 'abort') return { code: 'ABORTED', message: ending.reason }
  return { code: 'RUN_INTERRUPTED', message: 'The run ended without a result.' }
}

/** Whether the client has to answer a call. All other calls are executed by the host or the provider. */
export function isClientCall(
  part: Part,
  { clientTools }: Pick<RunFacts, 'clientTools'>,
): part is ToolCallPart {
  return part.type === 'tool-call' && !part.providerExecuted && clientTools.has(part.name)
}
