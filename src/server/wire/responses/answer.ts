import type { Part, SourcePart } from '@braidwork/plugin'
import {
  type AnswerEncoder,
  isClientCall,
  openAIErrorAnswer,
  type PublicError,
  type RunFacts,
  type ShownAnswer,
  sourcesBehind,
  WholeAnswer,
  type WireAnswer,
} from '../index.ts'
import {
  callItem,
  type ItemPlace,
  imageIn,
  imageItem,
  messageItem,
  outputText,
  reasoningItem,
  sealedIn,
} from './items.ts'
import {
  annotationOf,
  failedResponse,
  finishedResponse,
  type ResponseAbout,
  responseHead,
} from './response.ts'

export interface ResponseAnswerOptions {
  readonly about?: ResponseAbout
  /**
   * Whether the client retrieves the response by its id. A failed run is then a response with the status `failed`
   * instead of an HTTP error.
   */
  readonly isRetrieved?: boolean
}

/** Encodes a whole run as one response. */
export function responsesAnswer(
  facts: RunFacts,
  { about = {}, isRetrieved = false }: ResponseAnswerOptions = {},
): AnswerEncoder {
  const head = responseHead(facts, about)
  const failed = (error: PublicError) => answerOf(failedResponse(head, [], error))
  return new WholeAnswer(facts, {
    whole: ({ messages, finish }) =>
      answerOf(finishedResponse(head, itemsOf(messages, facts), finish)),
    error: isRetrieved ? failed : openAIErrorAnswer,
  })
}

/** Encodes a response that is still in progress, such as one in the background. */
export function responseInProgress(facts: RunFacts, about: ResponseAbout = {}): WireAnswer {
  return answerOf(responseHead(facts, about))
}

function answerOf(body: object): WireAnswer {
  return { status: 200, headers: {}, body }
}

function itemsOf(messages: ShownAnswer['messages'], facts: RunFacts): readonly object[] {
  const items: object[] = []
  for (const { parts } of messages) {
    const sources = sourcesBehind(parts, isApart)
    for (const [at, part] of parts.entries()) {
      const place = { facts, index: items.length }
      const item = itemOf(part, sources[at] ?? [], place)
      if (item) items.push(item)
    }
  }
  return items
}

function itemOf(part: Part, sources: readonly SourcePart[], place: ItemPlace): object | undefined {
  if (part.type === 'text') return textItem(part.text, sources, place)
  if (part.type === 'reasoning') {
    const sealed = sealedIn(part.providerMetadata)
    const isNothing = part.text === '' && sealed === undefined
    return isNothing ? undefined : reasoningItem(place, part.text, sealed)
  }
  if (part.type === 'file') {
    const data = imageIn(part)
    return data === undefined ? undefined : imageItem(place, data)
  }
  if (!isClientCall(part, place.facts)) return undefined
  const { callId, name, input } = part
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return callItem(place, { callId, name, text })
}

function textItem(
  text: string,
  sources: readonly SourcePart[],
  place: ItemPlace,
): object | undefined {
  if (text === '') return undefined
  const annotations = sources.flatMap((source) => annotationOf(source, text.length) ?? [])
  return messageItem(place, outputText(text, annotations))
}

/** Only parts that become items separate a text from its sources. */
function isApart(part: Part): boolean {
  return part.type === 'file' ? imageIn(part) !== undefined : part.type !== 'data'
}
