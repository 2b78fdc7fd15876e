import type { RunEvent } from '@braidwork/plugin'
import {
  type AnswerEncoder,
  endsRefused,
  finishOfRefusal,
  type PublicError,
  type RunFacts,
  responsesErrorAnswer,
  WholeAnswer,
  type WireAnswer,
} from '../index.ts'
import { responseOfFailed } from './encoder.ts'
import { itemsOfRun, type ShownItems } from './held-items.ts'
import { finishedResponse, type ResponseAbout, responseHead } from './response.ts'

export interface ResponseAnswerOptions extends ShownItems {
  readonly about?: ResponseAbout
  /**
   * Whether the client retrieves the response by its id. A failed run is then a response with the status `failed`
   * and the items that a stream of it has, instead of an HTTP error.
   */
  readonly isRetrieved?: boolean
}

/** Encodes a whole run as one response. */
export function responsesAnswer(
  facts: RunFacts,
  { about = {}, isRetrieved = false, showsHostCalls = true }: ResponseAnswerOptions = {},
): AnswerEncoder {
  const head = responseHead(facts, about)
  const events: RunEvent[] = []
  const failed = (error: PublicError) =>
    answerOf(responseOfFailed({ events, error }, facts, { about, showsHostCalls }))
  const whole = new WholeAnswer(facts, {
    whole: ({ all, finish }) => {
      const { sealsReasoning = false } = about
      const held = itemsOfRun(all, { ...facts, sealsReasoning, isFinished: true })
      const items = held.map(({ item }) => item)
      const shown = items.filter(({ type }) => showsHostCalls || type !== 'mcp_call')
      const parts = all.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
      const told = endsRefused(parts) ? finishOfRefusal(finish) : finish
      return answerOf(finishedResponse(head, shown, told))
    },
    error: isRetrieved ? failed : responsesErrorAnswer,
  })
  if (!isRetrieved) return whole
  const add = (event: RunEvent) => {
    events.push(event)
    whole.add(event)
  }
  return { add, answer: () => whole.answer() }
}

/** Encodes a response that is still in progress, such as one in the background. */
export function responseInProgress(facts: RunFacts, about: ResponseAbout = {}): WireAnswer {
  return answerOf(responseHead(facts, about))
}

function answerOf(body: object): WireAnswer {
  return { status: 200, headers: {}, body }
}
