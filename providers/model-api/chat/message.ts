import {
  type FinishReason,
  isObject,
  type JsonObject,
  type Message,
  type Part,
  type ToolCallPart,
} from '@braidwork/plugin'
import { ownFacts } from '../content.ts'
import { defined, objectsIn, parseArguments, textIn, without } from '../json.ts'
import type { Profile } from '../profile.ts'
import { LONGEST_ID } from './dialect.ts'
import {
  argumentsIn,
  callsIn,
  contentIn,
  nameOf,
  reasoningIn,
  thinkingFacts,
  usageIn,
} from './fields.ts'
import { usageOf } from './usage.ts'

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['error', 'error'],
])

/** Identifies a part of a chat message: its field, or the index of a tool call. */
export type Place = 'reasoning' | 'content' | 'refusal' | number

/**
 * Converts a completion to the core message. `order` is the order in which a stream began the parts; without it
 * the parts follow the order of the API's fields.
 */
export function chatMessage(completion: JsonObject, profile: Profile): Message {
  const [choice = {}] = objectsIn(completion['choices'])
  const message = isObject(choice['message']) ? choice['message'] : {}
  const calls = callParts(message, { completion, profile })
  const order = isOrder(completion['order'])
    ? completion['order']
    : [...(['reasoning', 'content', 'refusal'] as const), ...calls.keys()]
  const parts = [
    ...order.flatMap((at) =>
      typeof at === 'number' ? (calls[at] ?? []) : TEXTS[at](message, profile),
    ),
    ...objectsIn(message['images']).flatMap((image) => imagePart(image)),
    ...objectsIn(message['annotations']).flatMap((annotation) => sourcePart(annotation, profile)),
    ...citedParts(completion['citations']),
  ]
  return { role: 'assistant', parts, metadata: metadataOf(completion, parts) }
}

function isOrder(value: unknown): value is readonly Place[] {
  return Array.isArray(value)
}

/** The metadata of the message. */
function metadataOf(
  completion: JsonObject,
  parts: readonly Part[],
): NonNullable<Message['metadata']> {
  const [choice = {}] = objectsIn(completion['choices'])
  return defined({
    finishReason: finishReasonOf(choice['finish_reason'], parts),
    usage: usageOf(usageIn(completion)),
    responseId: textIn(completion['id']),
    model: textIn(completion['model']),
  })
}

function finishReasonOf(reason: unknown, parts: readonly Part[]): FinishReason {
  const known = FINISH_REASONS.get(reason) ?? 'other'
  const calls = parts.some((part) => part.type === 'tool-call')
  // Some servers send `stop`, or no finish reason, with calls that the host must execute.
  if (calls && (known === 'stop' || known === 'other')) return 'tool-calls'
  const refuses = parts.some((part) => part.type === 'text' && part.providerMetadata !== undefined)
  return refuses && known === 'stop' ? 'content-filter' : known
}

interface Around {
  readonly completion: JsonObject
  readonly profile: Profile
}

/** The index of a call in its completion, and the call ids that are already used. */
interface CallPlace {
  readonly completion: JsonObject
  readonly index: number
  readonly taken: Set<string>
}

const TEXTS: {
  readonly [P in Exclude<Place, number>]: (message: JsonObject, profile: Profile) => readonly Part[]
} = {
  reasoning: (message, profile) => {
    const { field, text = '' } = reasoningIn(message) ?? {}
    const details = objectsIn(message['reasoning_details'])
    if (text === '' && details.length === 0) return []
    const thinking = thinkingFacts(message)
    const facts = {
      ...defined({ field }),
      ...(details.length > 0 ? { details } : {}),
      ...(Object.keys(thinking).length > 0 ? { thinking } : {}),
    }
    return [{ type: 'reasoning', text, providerMetadata: ownFacts(facts, profile) }]
  },
  content: (message) => {
    const text = contentIn(message['content'])
    return text === undefined ? [] : [{ type: 'text', text }]
  },
  refusal: (message, profile) => {
    const text = textIn(message['refusal'])
    if (text === undefined) return []
    return [{ type: 'text', text, providerMetadata: ownFacts({ refusal: true }, profile) }]
  },
}

function callParts(message: JsonObject, around: Around): readonly ToolCallPart[] {
  const taken = new Set<string>()
  return callsIn(message).map((call, index) => callPart(call, { ...around, index, taken }))
}

/** The id of a call, unique in its message. A generated id is the same for send and stream. */
export function callIdOf(call: JsonObject, { completion, index, taken }: CallPlace): string {
  const id = textIn(call['id']) ?? `${textIn(completion['id']) ?? 'call'}-${index}`
  const unique = taken.has(id) ? `${id}-${index}` : id
  taken.add(unique)
  return unique
}

function callPart(call: JsonObject, place: CallPlace & Around): ToolCallPart {
  const callId = callIdOf(call, place)
  const called = isObject(call['function']) ? call['function'] : {}
  const text = argumentsIn(called['arguments'])
  const input = parseArguments(text)
  const extra = without(call, 'id', 'type', 'index', 'function')
  const facts = {
    ...(text !== '' && JSON.stringify(input) !== text ? { arguments: text } : {}),
    ...(Object.keys(extra).length > 0 ? { call: extra } : {}),
    ...(callId.length > LONGEST_ID ? { hasOwnId: true } : {}),
  }
  return {
    type: 'tool-call',
    callId,
    name: nameOf(call),
    input,
    ...(Object.keys(facts).length > 0 ? { providerMetadata: ownFacts(facts, place.profile) } : {}),
  }
}

function sourcePart(annotation: JsonObject, profile: Profile): readonly Part[] {
  const cited = isObject(annotation['url_citation']) ? annotation['url_citation'] : annotation
  const url = textIn(cited['url'])
  if (url === undefined) return []
  const title = textIn(cited['title'])
  const facts = ownFacts(without(cited, 'url', 'title'), profile)
  return [{ type: 'source', url, ...defined({ title }), providerMetadata: facts }]
}

/** Converts the list of cited addresses that some servers send. */
function citedParts(citations: unknown): readonly Part[] {
  const urls = Array.isArray(citations) ? citations : []
  return urls.filter((url) => typeof url === 'string').map((url) => ({ type: 'source', url }))
}

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s

function imagePart({ image_url: image }: JsonObject): readonly Part[] {
  const url = isObject(image) ? textIn(image['url']) : textIn(image)
  if (url === undefined) return []
  const [, mediaType, data] = DATA_URL.exec(url) ?? []
  return mediaType && data
    ? [{ type: 'file', mediaType, data }]
    : [{ type: 'file', mediaType: 'image/*', url }]
}
