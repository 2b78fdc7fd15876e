import type { Message, Part, PartialEvent } from 'braidwork/plugin'
import { unreadable } from '../errors.ts'
import { isObject, type JsonObject, objectsIn, textIn } from '../json.ts'
import type { Profile } from '../profile.ts'
import {
  callsIn,
  chatMessage,
  contentIn,
  IN_CONTENT,
  type Place,
  reasoningIn,
  thinkingFacts,
  usageIn,
} from './message.ts'
import { OpenCalls } from './open-calls.ts'

/** A choice with a finish reason: what follows, even `[DONE]`, may be missing. */
export function isWholeChat(chunk: JsonObject): true | undefined {
  const choices = objectsIn(chunk['choices'])
  return choices.some((choice) => textIn(choice['finish_reason'])) || undefined
}

const SEGMENTS = { reasoning: 'reasoning', content: 'text', refusal: 'text' } as const
type TextField = keyof typeof SEGMENTS

/** Gathers the chunks of one answer: each to its events, all to the completion that they add up to. */
export class ChatAnswer {
  readonly #profile: Profile
  readonly #texts = new Map<TextField, string>()
  readonly #order: Place[] = []
  readonly #calls = new OpenCalls(this.#order)
  readonly #annotations: JsonObject[] = []
  readonly #images: JsonObject[] = []
  readonly #details: JsonObject[] = []
  #reasoningField = 'reasoning_content'
  #thinking: JsonObject = {}
  #hasChoice = false
  #chunks = 0
  #head: JsonObject = {}
  #usage: unknown
  #reason: unknown

  constructor(profile: Profile) {
    this.#profile = profile
  }

  add(chunk: JsonObject): readonly PartialEvent[] {
    this.#chunks++
    this.#addHead(chunk)
    this.#usage = usageIn(chunk) ?? this.#usage
    const [choice] = objectsIn(chunk['choices']).filter((one) => Number(one['index'] ?? 0) === 0)
    if (!choice) return []
    this.#hasChoice = true
    this.#reason = textIn(choice['finish_reason']) ?? this.#reason
    const { delta, message } = choice
    if (isObject(delta)) return this.#addDelta(delta)
    // Some servers tell the whole message instead, or once more at the end.
    return isObject(message) && this.#order.length === 0 ? this.#addDelta(message) : []
  }

  /** Closes what is open. @throws PROVIDER_FAILED where there was no answer at all */
  end(): { events: readonly PartialEvent[]; final: JsonObject } {
    if (!this.#hasChoice) throw unreadable(this.#profile, 'sent a stream with no choice in it')
    const events = [...this.#calls.end(this.#head)]
    const final = this.#completion()
    const { parts, metadata = {} } = chatMessage(final, this.#profile)
    events.push(...parts.flatMap((part) => closing(part)), { type: 'metadata', metadata })
    return { events, final }
  }

  #addHead(chunk: JsonObject): void {
    // Some servers send a first chunk about the prompt, with empty facts.
    for (const fact of ['id', 'model', 'created'] as const) {
      if (chunk[fact] && !this.#head[fact]) this.#head = { ...this.#head, [fact]: chunk[fact] }
    }
    const { citations } = chunk
    if (Array.isArray(citations)) this.#head = { ...this.#head, citations }
  }

  #addDelta(delta: JsonObject): PartialEvent[] {
    const events = [
      ...this.#addReasoning(delta),
      ...this.#addText('content', contentIn(delta['content'])),
      ...this.#addText('refusal', textIn(delta['refusal'])),
    ]
    const around = { chunk: this.#chunks, completion: this.#head }
    for (const call of callsIn(delta)) events.push(...this.#calls.add(call, around))
    this.#annotations.push(...objectsIn(delta['annotations']))
    this.#images.push(...objectsIn(delta['images']))
    return events
  }

  #addReasoning(delta: JsonObject): PartialEvent[] {
    const details = objectsIn(delta['reasoning_details'])
    for (const detail of details) this.#addDetail(detail)
    const { field, text = '' } = reasoningIn(delta) ?? {}
    if (field) this.#reasoningField = field
    this.#thinking = { ...this.#thinking, ...thinkingFacts(delta) }
    return text === '' && details.length === 0 ? [] : this.#addText('reasoning', text)
  }

  /** A detail of the reasoning opens an entry, or goes on with the one before; what is sealed is whole. */
  #addDetail(detail: JsonObject): void {
    const last = this.#details.at(-1)
    const isSame = last && last['type'] === detail['type'] && last['index'] === detail['index']
    if (!isSame || 'data' in detail) {
      this.#details.push(detail)
      return
    }
    const grown = ['text', 'summary'].flatMap((key) => {
      const text = `${textIn(last[key]) ?? ''}${textIn(detail[key]) ?? ''}`
      return text === '' ? [] : [[key, text]]
    })
    const said = Object.entries(detail).filter(([, value]) => value !== null)
    const entry = { ...last, ...Object.fromEntries(said), ...Object.fromEntries(grown) }
    this.#details[this.#details.length - 1] = entry
  }

  #addText(field: TextField, text: string | undefined): PartialEvent[] {
    if (text === undefined) return []
    const before = this.#texts.get(field)
    this.#texts.set(field, (before ?? '') + text)
    const type = SEGMENTS[field]
    const added: PartialEvent[] =
      text === '' ? [] : [{ type: `${type}-delta`, id: field, delta: text }]
    if (before !== undefined) return added
    this.#order.push(field)
    return [{ type: `${type}-start`, id: field }, ...added]
  }

  #completion(): JsonObject {
    const calls = this.#calls.whole()
    const message = {
      role: 'assistant',
      ...this.#reasoned(),
      ...(this.#texts.has('refusal') ? { refusal: this.#texts.get('refusal') } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(this.#annotations.length > 0 ? { annotations: this.#annotations } : {}),
      ...(this.#images.length > 0 ? { images: this.#images } : {}),
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

  /** Reasoning and text, each where the server has it. */
  #reasoned(): JsonObject {
    const content = this.#texts.get('content') ?? null
    const details = this.#details.length > 0 ? { reasoning_details: this.#details } : {}
    const thinking = this.#texts.get('reasoning')
    if (!thinking) return { content, ...details }
    if (this.#reasoningField !== IN_CONTENT) {
      return { [this.#reasoningField]: thinking, content, ...details }
    }
    const text = content === null ? [] : [{ type: 'text', text: content }]
    return {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: thinking }], ...this.#thinking },
        ...text,
      ],
    }
  }
}

function closing(part: Message['parts'][number]): readonly PartialEvent[] {
  if (part.type === 'reasoning') {
    const { providerMetadata = {} } = part
    return [{ type: 'reasoning-end', id: 'reasoning', providerMetadata }]
  }
  if (part.type === 'text') return [textEnd(part)]
  if (part.type === 'tool-call') {
    const { callId: id, input, providerMetadata } = part
    return [{ type: 'tool-call-end', id, input, ...(providerMetadata ? { providerMetadata } : {}) }]
  }
  return part.type === 'source' || part.type === 'file' ? [part] : []
}

function textEnd({ providerMetadata }: Extract<Part, { type: 'text' }>): PartialEvent {
  return providerMetadata
    ? { type: 'text-end', id: 'refusal', providerMetadata }
    : { type: 'text-end', id: 'content' }
}
