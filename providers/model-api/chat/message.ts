import {
  type FinishReason,
  isObject,
  type JsonObject,
  type Message,
  type Part,
  type ToolCallPart,
} from '@braidwork/plugin'
import { factsOf, ownFacts } from '../content.ts'
import { defined, objectsIn, parseArguments, textIn, without } from '../json.ts'
import type { Profile } from '../profile.ts'
import { audioPart, transcriptPart } from './audio.ts'
import { LONGEST_ID } from './dialect.ts'
import {
  callsIn,
  contentIn,
  firstChoice,
  isCustom,
  nameOf,
  reasoningIn,
  thinkingFacts,
  usageIn,
  writtenIn,
} from './fields.ts'
import { finishReasonIn } from './finish-reasons.ts'
import { sourceParts } from './sources.ts'
import { usageOf } from './usage.ts'

/** Identifies a part of a chat message: its field, or the index of a tool call. */
export type Place = 'reasoning' | 'content' | 'transcript' | 'refusal' | number

/**
 * Converts a completion to the core message. `order` is the order in which a stream began the parts; without it
 * the parts follow the order of the API's fields.
 */
export function chatMessage(completion: JsonObject, profile: Profile): Message {
  const choice = choiceIn(completion)
  const message = isObject(choice['message']) ? choice['message'] : {}
  const calls = callParts(message, { completion, profile })
  const order = isOrder(completion['order'])
    ? completion['order']
    : [...(['reasoning', 'content', 'transcript', 'refusal'] as const), ...calls.keys()]
  const parts = [
    ...order.flatMap((at) =>
      typeof at === 'number' ? (calls[at] ?? []) : TEXTS[at](message, profile),
    ),
    ...objectsIn(message['images']).flatMap((image) => imagePart(image)),
    ...audioPart(message, profile),
    ...sourceParts(message, completion, profile),
  ]
  return { role: 'assistant', parts, metadata: metadataOf(completion, parts, profile) }
}

function isOrder(value: unknown): value is readonly Place[] {
  return Array.isArray(value)
}

/** The metadata of the message. */
function metadataOf(
  completion: JsonObject,
  parts: readonly Part[],
  profile: Profile,
): NonNullable<Message['metadata']> {
  const isRefused = parts.some((part) => factsOf(part, profile)?.['refusal'] === true)
  return defined({
    finishReason: finishReasonOf(choiceIn(completion)['finish_reason'], parts, isRefused),
    usage: usageOf(usageIn(completion)),
    responseId: textIn(completion['id']),
    model: textIn(completion['model']),
  })
}

/** The choice with the index 0, wherever it is in the list. A server may be asked for several. */
function choiceIn({ choices }: JsonObject): JsonObject {
  return firstChoice(choices) ?? objectsIn(choices)[0] ?? {}
}

function finishReasonOf(reason: unknown, parts: readonly Part[], isRefused: boolean): FinishReason {
  const known = finishReasonIn(reason)
  const calls = parts.some((part) => part.type === 'tool-call')
  // Some servers send `stop`, or no finish reason, with calls that the host must execute.
  if (calls && (known === 'stop' || known === 'other')) return 'tool-calls'
  return isRefused && known === 'stop' ? 'content-filter' : known
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
  transcript: transcriptPart,
  refusal: (message, profile) => {
    const text = textIn(message['refusal'])
    if (text === undefined) return []
    return [{ type: 'text', text, providerMetadata: refusalFacts(profile) }]
  },
}

/** The metadata of a text with which the model refuses to answer. */
export function refusalFacts(profile: Profile): { readonly [provider: string]: unknown } {
  return ownFacts({ refusal: true }, profile)
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
  const text = writtenIn(call)
  const isText = isCustom(call)
  const input = isText ? text : parseArguments(text)
  const extra = without(call, 'id', 'type', 'index', 'function', 'custom')
  const facts = {
    ...(isText ? { custom: true } : {}),
    ...(!isText && text !== '' && JSON.stringify(input) !== text ? { arguments: text } : {}),
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

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s

function imagePart({ image_url: image }: JsonObject): readonly Part[] {
  const url = isObject(image) ? textIn(image['url']) : textIn(image)
  if (url === undefined) return []
  const [, mediaType, data] = DATA_URL.exec(url) ?? []
  return mediaType && data
    ? [{ type: 'file', mediaType, data }]
    : [{ type: 'file', mediaType: 'image/*', url }]
}
