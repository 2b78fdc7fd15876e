import type { FinishReason, Message, Part, ToolCallPart } from 'braidwork/plugin'
import { ownFacts } from '../content.ts'
import {
  defined,
  isObject,
  type JsonObject,
  objectsIn,
  parseArguments,
  textIn,
  without,
} from '../json.ts'
import type { Profile } from '../profile.ts'
import { usageOf } from './usage.ts'

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['error', 'error'],
])

/** A part of a chat message: its field, or the index of a call. */
export type Place = 'reasoning' | 'content' | 'refusal' | number

/**
 * The core message of a completion. Parts stand in the order of the API's fields; `order` has the one in
 * which a stream began them.
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

/** What is said of the whole message. */
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
  // Some servers say `stop`, or nothing, beside calls that wait to be run.
  if (calls && (known === 'stop' || known === 'other')) return 'tool-calls'
  const refuses = parts.some((part) => part.type === 'text' && part.providerMetadata !== undefined)
  return refuses && known === 'stop' ? 'content-filter' : known
}

interface Around {
  readonly completion: JsonObject
  readonly profile: Profile
}

/** Which call of which completion, and the ids that earlier ones have. */
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

/** Names that servers give to the field with the reasoning. */
const REASONING = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'] as const

/** Some servers put the reasoning into a list in `content`. */
export const IN_CONTENT = 'content'

/** The reasoning of a message or a delta, and the field that has it. */
export function reasoningIn(message: JsonObject): { field: string; text: string } | undefined {
  for (const field of REASONING) {
    const text = textIn(message[field])
    if (text !== undefined) return { field, text }
  }
  const { content, reasoning_details: details } = message
  const inContent = Array.isArray(content) ? thoughtIn(message) : ''
  if (inContent !== '') return { field: IN_CONTENT, text: inContent }
  const text = Array.isArray(details) ? detailsIn(details) : ''
  return text === '' ? undefined : { field: 'reasoning', text }
}

function thoughtIn(message: JsonObject): string {
  return thinkingIn(message)
    .map((part) => textsOf(part['thinking']))
    .join('')
}

function detailsIn(details: readonly unknown[]): string {
  return objectsIn(details)
    .map((detail) => textIn(detail['text']) ?? textIn(detail['summary']) ?? '')
    .join('')
}

function thinkingIn({ content }: JsonObject): readonly JsonObject[] {
  return Array.isArray(content) ? objectsIn(content).filter(({ type }) => type === 'thinking') : []
}

/** What is said of the reasoning in `content` beside its text: whether it ended, its signature. */
export function thinkingFacts(message: JsonObject): JsonObject {
  const facts = thinkingIn(message).flatMap((part) => Object.entries(part))
  const told = facts.filter(
    ([key, value]) => key !== 'type' && key !== 'thinking' && value !== null,
  )
  return Object.fromEntries(told)
}

/** Text of a message or a delta: a string, or a list of text parts. */
export function contentIn(content: unknown): string | undefined {
  return textIn(textsOf(content))
}

function textsOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  const texts = content.map((part) => (isObject(part) ? part['text'] : part))
  return texts.filter((text) => typeof text === 'string').join('')
}

/** The calls of a message or a delta; an old form has one, under another name. */
export function callsIn(message: JsonObject): readonly JsonObject[] {
  const { tool_calls: calls, function_call: called } = message
  const list = isObject(calls) ? [calls] : objectsIn(calls)
  return list.length === 0 && isObject(called) ? [{ function: called }] : list
}

/** Usage where servers put it. */
export function usageIn({ usage, x_groq: own, choices }: JsonObject): unknown {
  if (isTold(usage)) return usage
  if (isObject(own) && isTold(own['usage'])) return own['usage']
  const [choice] = Array.isArray(choices) ? choices : []
  return isObject(choice) && isTold(choice['usage']) ? choice['usage'] : undefined
}

/** Some servers send an empty object where they tell nothing. */
function isTold(usage: unknown): boolean {
  return isObject(usage) && Object.keys(usage).length > 0
}

/** The arguments of a call as text; some servers send them parsed. */
export function argumentsIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

/** A call's id, unique in its message; where there is none, one that is the same in send and stream. */
export function callIdOf(call: JsonObject, { completion, index, taken }: CallPlace): string {
  const id = textIn(call['id']) ?? `${textIn(completion['id']) ?? 'call'}-${index}`
  const unique = taken.has(id) ? `${id}-${index}` : id
  taken.add(unique)
  return unique
}

/** A call's name; where none ever came, one that no tool has. */
export function nameOf(call: JsonObject): string {
  return nameIn(call) ?? 'unnamed'
}

export function nameIn(call: JsonObject): string | undefined {
  return isObject(call['function']) ? textIn(call['function']['name']) : undefined
}

function callPart(call: JsonObject, place: CallPlace & Around): ToolCallPart {
  const called = isObject(call['function']) ? call['function'] : {}
  const text = argumentsIn(called['arguments'])
  const input = parseArguments(text)
  const extra = without(call, 'id', 'type', 'index', 'function')
  const facts = {
    ...(text !== '' && JSON.stringify(input) !== text ? { arguments: text } : {}),
    ...(Object.keys(extra).length > 0 ? { call: extra } : {}),
  }
  return {
    type: 'tool-call',
    callId: callIdOf(call, place),
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

/** Some servers list the addresses that an answer cites. */
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
