import {
  GrowingText,
  isObject,
  type JsonObject,
  type Part,
  type PartialEvent,
} from '@braidwork/plugin'
import { DELTA_TYPES } from '../delta-types.ts'
import { unreadable } from '../errors.ts'
import { objectsIn, tell, textIn } from '../json.ts'
import type { Profile } from '../profile.ts'
import { AudioPieces, spokenIn } from './audio.ts'
import {
  callsIn,
  contentIn,
  firstChoice,
  IN_CONTENT,
  reasoningIn,
  thinkingFacts,
  usageIn,
} from './fields.ts'
import { chatMessage, type Place, refusalFacts } from './message.ts'
import { OpenCalls } from './open-calls.ts'

/** Whether a choice has a finish reason. The chunks after it, even `[DONE]`, may be missing. */
export function isWholeChat(chunk: JsonObject): true | undefined {
  const { choices } = chunk
  return (Array.isArray(choices) && choices.some(hasReason)) || undefined
}

function hasReason(choice: unknown): boolean {
  return isObject(choice) && textIn(choice['finish_reason']) !== undefined
}

const NO_DETAILS: readonly JsonObject[] = []
const HEAD = ['id', 'model', 'created'] as const
const SOURCES = ['citations', 'search_results'] as const

const SEGMENTS = {
  reasoning: 'reasoning',
  content: 'text',
  transcript: 'text',
  refusal: 'text',
} as const
type TextField = keyof typeof SEGMENTS

/** Collects the chunks of one answer: converts each to partial events, and all of them to the whole completion. */
export class ChatAnswer {
  readonly #profile: Profile
  readonly #texts = new Map<TextField, GrowingText>()
  readonly #order: Place[] = []
  readonly #calls = new OpenCalls(this.#order)
  readonly #annotations: JsonObject[] = []
  readonly #images: JsonObject[] = []
  readonly #audio = new AudioPieces()
  readonly #details: { [key: string]: unknown }[] = []
  #reasoningField = 'reasoning_content'
  readonly #thinking: { [key: string]: unknown } = {}
  /** The events of the current chunk. */
  #events: PartialEvent[] = []
  #hasChoice = false
  #chunks = 0
  #head: JsonObject = {}
  #isHeadWhole = false
  #usage: unknown
  #reason: unknown

  constructor(profile: Profile) {
    this.#profile = profile
  }

  get held(): number {
    const details = this.#details.length + this.#annotations.length
    return this.#calls.count + this.#images.length + this.#audio.count + details
  }

  add(chunk: JsonObject): readonly PartialEvent[] {
    this.#chunks++
    this.#addHead(chunk)
    this.#usage = usageIn(chunk) ?? this.#usage
    const choice = firstChoice(chunk['choices'])
    if (!choice) return []
    this.#hasChoice = true
    this.#reason = textIn(choice['finish_reason']) ?? this.#reason
    const { delta, message } = choice
    if (isObject(delta)) return this.#addDelta(delta)
    // Some servers send the whole message instead of deltas, or repeat it at the end.
    return isObject(message) && this.#order.length === 0 ? this.#addDelta(message) : []
  }

  /** Ends the answer and closes open parts. @throws PROVIDER_FAILED if no choice was received */
  end(): { events: readonly PartialEvent[]; final: JsonObject } {
    if (!this.#hasChoice) throw unreadable(this.#profile, 'sent a stream with no choice in it')
    const last = this.#calls.end(this.#head)
    const final = this.#completion()
    const { parts, metadata = {} } = chatMessage(final, this.#profile)
    const closed = parts.flatMap((part) => closing(part, this.#profile))
    return { events: [...last, ...closed, { type: 'metadata', metadata }], final }
  }

  #addHead(chunk: JsonObject): void {
    // Some servers first send a chunk about the prompt, with empty metadata, so metadata is collected until complete.
    if (!this.#isHeadWhole) {
      for (const fact of HEAD) {
        if (!this.#head[fact] && chunk[fact]) this.#head = { ...this.#head, [fact]: chunk[fact] }
      }
      this.#isHeadWhole = HEAD.every((fact) => this.#head[fact])
    }
    for (const list of SOURCES) {
      if (Array.isArray(chunk[list])) this.#head = { ...this.#head, [list]: chunk[list] }
    }
  }

  /** Adds a delta. Only present fields are looked at: this code runs per chunk. */
  #addDelta(delta: JsonObject): readonly PartialEvent[] {
    this.#events = []
    this.#addReasoning(delta)
    this.#addText('content', contentIn(delta['content']))
    this.#addText('refusal', textIn(delta['refusal']))
    if (isObject(delta['audio'])) {
      this.#audio.add(delta['audio'])
      this.#addText('transcript', textIn(delta['audio']['transcript']))
    }
    if (delta['tool_calls'] || delta['function_call']) {
      const around = { chunk: this.#chunks, completion: this.#head }
      for (const call of callsIn(delta)) {
        for (const event of this.#calls.add(call, around)) this.#emit(event)
      }
    }
    if (delta['annotations']) addTo(this.#annotations, objectsIn(delta['annotations']))
    if (delta['images']) addTo(this.#images, objectsIn(delta['images']))
    return this.#events
  }

  /** Most chunks have one event, for which a list that grows would be three times as large. */
  #emit(event: PartialEvent): void {
    if (this.#events.length === 0) this.#events = [event]
    else this.#events.push(event)
  }

  #addReasoning(delta: JsonObject): void {
    const reasoning = reasoningIn(delta)
    if (reasoning) this.#reasoningField = reasoning.field
    const { reasoning_details: details, content } = delta
    if (Array.isArray(content)) tell(this.#thinking, thinkingFacts(delta))
    const added = details ? objectsIn(details) : NO_DETAILS
    for (const detail of added) this.#addDetail(detail)
    if (reasoning || added.length > 0) this.#addText('reasoning', reasoning?.text ?? '')
  }

  /** A reasoning detail starts an entry or continues the last one. An encrypted detail is always complete. */
  #addDetail(detail: JsonObject): void {
    const last = this.#details.at(-1)
    const isSame = last && last['type'] === detail['type'] && last['index'] === detail['index']
    if (!isSame || 'data' in detail) {
      this.#details.push({ ...detail })
      return
    }
    const grown = ['text', 'summary'].flatMap((key) => {
      const text = `${textIn(last[key]) ?? ''}${textIn(detail[key]) ?? ''}`
      return text === '' ? [] : [[key, text]]
    })
    tell(last, detail)
    tell(last, Object.fromEntries(grown))
  }

  #addText(field: TextField, text: string | undefined): void {
    if (text === undefined) return
    const type = SEGMENTS[field]
    let whole = this.#texts.get(field)
    if (!whole) {
      whole = new GrowingText()
      this.#texts.set(field, whole)
      this.#order.push(field)
      const isRefusal = field === 'refusal'
      const facts = isRefusal ? { providerMetadata: refusalFacts(this.#profile) } : {}
      this.#emit({ type: `${type}-start`, id: field, ...facts })
    }
    whole.add(text)
    if (text !== '') this.#emit({ type: DELTA_TYPES[type], id: field, delta: text })
  }

  #completion(): JsonObject {
    const calls = this.#calls.whole()
    const audio = this.#audio.whole(this.#texts.get('transcript')?.toString())
    const message = {
      role: 'assistant',
      ...this.#reasoned(),
      ...(this.#texts.has('refusal') ? { refusal: String(this.#texts.get('refusal')) } : {}),
      ...(audio ? { audio } : {}),
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

  /** The reasoning and the text, each in the field that the server used. */
  #reasoned(): JsonObject {
    const content = this.#texts.get('content')?.toString() ?? null
    const details = this.#details.length > 0 ? { reasoning_details: this.#details } : {}
    const thinking = this.#texts.get('reasoning')?.toString()
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

/** Appends in a loop: a long list cannot be passed as arguments. */
function addTo<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one)
}

function closing(part: Part, profile: Profile): readonly PartialEvent[] {
  if (part.type === 'reasoning') {
    const { providerMetadata = {} } = part
    return [{ type: 'reasoning-end', id: 'reasoning', providerMetadata }]
  }
  if (part.type === 'text') return [textEnd(part, profile)]
  if (part.type === 'tool-call') {
    const { callId: id, input, providerMetadata } = part
    return [{ type: 'tool-call-end', id, input, ...(providerMetadata ? { providerMetadata } : {}) }]
  }
  return part.type === 'source' || part.type === 'file' ? [part] : []
}

function textEnd(part: Extract<Part, { type: 'text' }>, profile: Profile): PartialEvent {
  const { providerMetadata } = part
  if (!providerMetadata) return { type: 'text-end', id: 'content' }
  const id: TextField = spokenIn(part, profile) ? 'transcript' : 'refusal'
  return { type: 'text-end', id, providerMetadata }
}
