import type { Message, Part, PartialEvent } from 'braidwork/plugin'
import { isObject, type JsonObject, objectsIn, textIn, without } from '../json.ts'
import type { Profile } from '../profile.ts'
import {
  argumentsIn,
  callIdOf,
  chatMessage,
  contentIn,
  nameOf,
  type Place,
  reasoningIn,
} from './message.ts'

/** A choice with a finish reason: what follows, even `[DONE]`, may be missing. */
export function isWholeChat(chunk: JsonObject): true | undefined {
  const choices = objectsIn(chunk['choices'])
  return choices.some((choice) => textIn(choice['finish_reason'])) || undefined
}

interface OpenCall {
  readonly index: number
  call: JsonObject
  text: string
  id: string | undefined
}

const SEGMENTS = { reasoning: 'reasoning', content: 'text', refusal: 'text' } as const
type TextField = keyof typeof SEGMENTS

/** Gathers the chunks of one answer: each to its events, all to the completion that they add up to. */
export class ChatAnswer {
  readonly #profile: Profile
  readonly #texts = new Map<TextField, string>()
  readonly #calls: OpenCall[] = []
  readonly #callAt = new Map<number, OpenCall>()
  readonly #callOf = new Map<string, OpenCall>()
  readonly #ids = new Set<string>()
  readonly #order: Place[] = []
  readonly #annotations: JsonObject[] = []
  #head: JsonObject = {}
  #usage: unknown
  #reason: unknown

  constructor(profile: Profile) {
    this.#profile = profile
  }

  add(chunk: JsonObject): readonly PartialEvent[] {
    // Some servers send a first chunk about the prompt, with empty facts.
    for (const fact of ['id', 'model', 'created'] as const) {
      if (chunk[fact] && !this.#head[fact]) this.#head = { ...this.#head, [fact]: chunk[fact] }
    }
    if (isObject(chunk['usage'])) this.#usage = chunk['usage']
    const [choice] = objectsIn(chunk['choices']).filter((one) => (one['index'] ?? 0) === 0)
    if (!choice) return []
    this.#reason = choice['finish_reason'] ?? this.#reason
    const delta = choice['delta'] ?? choice['message']
    return isObject(delta) ? this.#addDelta(delta) : []
  }

  /** Closes what is open. */
  end(): { events: readonly PartialEvent[]; final: JsonObject } {
    const events = this.#calls.flatMap((open) => this.#announce(open))
    const final = this.#completion()
    const { parts, metadata = {} } = chatMessage(final, this.#profile)
    events.push(...parts.flatMap((part) => closing(part)), { type: 'metadata', metadata })
    return { events, final }
  }

  #addDelta(delta: JsonObject): PartialEvent[] {
    const events = [
      ...this.#addText('reasoning', reasoningIn(delta)),
      ...this.#addText('content', contentIn(delta['content'])),
      ...this.#addText('refusal', textIn(delta['refusal'])),
    ]
    for (const call of objectsIn(delta['tool_calls'])) events.push(...this.#addCall(call))
    this.#annotations.push(...objectsIn(delta['annotations']))
    return events
  }

  #addText(field: TextField, text: string | undefined): PartialEvent[] {
    if (text === undefined) return []
    const before = this.#texts.get(field)
    this.#texts.set(field, (before ?? '') + text)
    const type = SEGMENTS[field]
    const added: PartialEvent = { type: `${type}-delta`, id: field, delta: text }
    if (before !== undefined) return [added]
    this.#order.push(field)
    return [{ type: `${type}-start`, id: field }, added]
  }

  #addCall(delta: JsonObject): PartialEvent[] {
    const open = this.#callFor(delta)
    const called = isObject(delta['function']) ? delta['function'] : {}
    const known = isObject(open.call['function']) ? open.call['function'] : {}
    const text = argumentsIn(called['arguments'])
    open.call = {
      ...open.call,
      ...without(delta, 'function', 'index', 'id'),
      id: textIn(open.call['id']) ?? textIn(delta['id']),
      // Some servers repeat the name with every delta.
      function: { name: textIn(known['name']) ?? textIn(called['name']) },
    }
    open.text += text
    if (open.id === undefined) return textIn(called['name']) ? this.#announce(open) : []
    return text === '' ? [] : [{ type: 'tool-call-delta', id: open.id, delta: text }]
  }

  /** The call that a delta belongs to: that of its index, without one that of its id, else the last. */
  #callFor(delta: JsonObject): OpenCall {
    const { index } = delta
    const id = textIn(delta['id'])
    const last = this.#calls.at(-1)
    const found =
      typeof index === 'number'
        ? this.#callAt.get(index)
        : id === undefined
          ? last
          : this.#callOf.get(id)
    // Some servers number every call 0: another id means another call.
    const isOther = id !== undefined && found?.call['id'] !== undefined && found.call['id'] !== id
    if (found && !isOther) return found
    const open: OpenCall = { index: this.#calls.length, call: {}, text: '', id: undefined }
    this.#calls.push(open)
    if (typeof index === 'number') this.#callAt.set(index, open)
    if (id !== undefined) this.#callOf.set(id, open)
    return open
  }

  /** A call is shown as soon as its name is known, or at the end. */
  #announce(open: OpenCall): PartialEvent[] {
    if (open.id !== undefined) return []
    const { index } = open
    open.id = callIdOf(open.call, { completion: this.#head, index, taken: this.#ids })
    open.call = { ...open.call, id: open.id }
    this.#order.push(index)
    const start: PartialEvent = { type: 'tool-call-start', id: open.id, name: nameOf(open.call) }
    return open.text === ''
      ? [start]
      : [start, { type: 'tool-call-delta', id: open.id, delta: open.text }]
  }

  #completion(): JsonObject {
    const calls = this.#calls.map(({ call, text }) => {
      const called = isObject(call['function']) ? call['function'] : {}
      return { ...call, function: { ...called, arguments: text } }
    })
    const message = {
      role: 'assistant',
      ...(this.#texts.has('reasoning') ? { reasoning_content: this.#texts.get('reasoning') } : {}),
      content: this.#texts.get('content') ?? null,
      ...(this.#texts.has('refusal') ? { refusal: this.#texts.get('refusal') } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(this.#annotations.length > 0 ? { annotations: this.#annotations } : {}),
    }
    const choice = { index: 0, message, finish_reason: this.#reason ?? null }
    return {
      ...this.#head,
      object: 'chat.completion',
      choices: [choice],
      usage: this.#usage ?? null,
      order: this.#order,
    }
  }
}

function closing(part: Message['parts'][number]): readonly PartialEvent[] {
  if (part.type === 'reasoning') return [{ type: 'reasoning-end', id: 'reasoning' }]
  if (part.type === 'text') return [textEnd(part)]
  if (part.type === 'tool-call') {
    const { callId: id, input, providerMetadata } = part
    return [{ type: 'tool-call-end', id, input, ...(providerMetadata ? { providerMetadata } : {}) }]
  }
  return part.type === 'source' ? [part] : []
}

function textEnd({ providerMetadata }: Extract<Part, { type: 'text' }>): PartialEvent {
  return providerMetadata
    ? { type: 'text-end', id: 'refusal', providerMetadata }
    : { type: 'text-end', id: 'content' }
}
