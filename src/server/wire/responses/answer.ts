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
  /** Whether the response is asked for by its id: one that failed is then a response, and no error. */
  readonly isRetrieved?: boolean
}

/** A run as one response. */
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

/** A response that is still on its way, as one that runs in the background. */
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

/** Files that are no items stand between nothing. */
function isApart(part: Part): boolean {
  return part.type === 'file' ? imageIn(part) !== undefined : part.type !== 'data'
}
