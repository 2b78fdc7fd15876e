import type { FinishReason, Message, Part, ToolCallPart } from 'braidwork/plugin'
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
import { usageOf } from '../usage.ts'

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
    ...objectsIn(message['annotations']).flatMap((annotation) => sourcePart(annotation, profile)),
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
    usage: usageOf(completion['usage']),
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
  reasoning: (message) => {
    const text = reasoningIn(message)
    return text === undefined ? [] : [{ type: 'reasoning', text }]
  },
  content: (message) => {
    const text = contentIn(message['content'])
    return text === undefined ? [] : [{ type: 'text', text }]
  },
  refusal: (message, profile) => {
    const text = textIn(message['refusal'])
    return text === undefined ? [] : [{ type: 'text', text, ...refusalFacts(profile) }]
  },
}

function callParts(message: JsonObject, around: Around): readonly ToolCallPart[] {
  const taken = new Set<string>()
  return objectsIn(message['tool_calls']).map((call, index) =>
    callPart(call, { ...around, index, taken }),
  )
}

function refusalFacts({ name }: Profile): Pick<Part, 'providerMetadata'> {
  return { providerMetadata: { [name]: { refusal: true } } }
}

/** The reasoning of a message or a delta, under the names that servers give it. */
export function reasoningIn(message: JsonObject): string | undefined {
  return textIn(message['reasoning_content']) ?? textIn(message['reasoning'])
}

/** Text of a message or a delta: a string, or a list of text parts. */
export function contentIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textIn(content)
  return textIn(
    objectsIn(content)
      .map((part) => textIn(part['text']) ?? '')
      .join(''),
  )
}

/** The arguments of a call as text; some servers send them parsed. */
export function argumentsIn(value: unknown): string {
  if (typeof value === 'string') return value
  return isObject(value) ? JSON.stringify(value) : ''
}

/** A call's id, unique in its message; where there is none, one that is the same in send and stream. */
export function callIdOf(call: JsonObject, { completion, index, taken }: CallPlace): string {
  const id = textIn(call['id']) ?? `${textIn(completion['id']) ?? 'call'}-${index}`
  const unique = taken.has(id) ? `${id}-${index}` : id
  taken.add(unique)
  return unique
}

export function nameOf(call: JsonObject): string {
  const called = isObject(call['function']) ? call['function'] : {}
  return textIn(called['name']) ?? 'unnamed'
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
    ...(Object.keys(facts).length > 0 ? { providerMetadata: { [place.profile.name]: facts } } : {}),
  }
}

function sourcePart(annotation: JsonObject, { name }: Profile): readonly Part[] {
  const cited = isObject(annotation['url_citation']) ? annotation['url_citation'] : annotation
  const url = textIn(cited['url'])
  if (url === undefined) return []
  const title = textIn(cited['title'])
  return [
    {
      type: 'source',
      url,
      ...defined({ title }),
      providerMetadata: { [name]: without(cited, 'url', 'title') },
    },
  ]
}
