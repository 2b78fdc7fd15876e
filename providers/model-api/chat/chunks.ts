import type { Message, Part, PartialEvent } from 'braidwork/plugin'
import { isObject, type JsonObject, objectsIn, parseArguments, textIn, without } from '../json.ts'
import type { Profile } from '../profile.ts'
import {
  argumentsIn,
  callIdOf,
  callsIn,
  chatMessage,
  contentIn,
  IN_CONTENT,
  nameOf,
  type Place,
  reasoningIn,
  usageIn,
} from './message.ts'

/** A choice with a finish reason: what follows, even `[DONE]`, may be missing. */
export function isWholeChat(chunk: JsonObject): true | undefined {
  const choices = objectsIn(chunk['choices'])
  return choices.some((choice) => textIn(choice['finish_reason'])) || undefined
}

interface OpenCall {
  readonly index: number
  /** The chunk that began it. */
  readonly chunk: number
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
  readonly #images: JsonObject[] = []
  readonly #details: JsonObject[] = []
  #reasoningField = 'reasoning_content'
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
    const [choice] = objectsIn(chunk['choices']).filter((one) => (one['index'] ?? 0) === 0)
    if (!choice) return []
    this.#reason = choice['finish_reason'] ?? this.#reason
    const delta = isObject(choice['delta']) ? choice['delta'] : choice['message']
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
    for (const call of callsIn(delta)) events.push(...this.#addCall(call))
    this.#annotations.push(...objectsIn(delta['annotations']))
    this.#images.push(...objectsIn(delta['images']))
    return events
  }

  #addReasoning(delta: JsonObject): PartialEvent[] {
    const details = objectsIn(delta['reasoning_details'])
    for (const detail of details) this.#addDetail(detail)
    const { field, text = '' } = reasoningIn(delta) ?? {}
    if (field) this.#reasoningField = field
    return text === '' && details.length === 0 ? [] : this.#addText('reasoning', text)
  }

  /** A detail of the reasoning opens an entry, or goes on with the one before. */
  #addDetail(detail: JsonObject): void {
    const last = this.#details.at(-1)
    const goesOn = last && last['type'] === detail['type'] && last['index'] === detail['index']
    if (!goesOn) {
      this.#details.push(detail)
      return
    }
    const grown = ['text', 'summary', 'data'].flatMap((key) => {
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

  #addCall(delta: JsonObject): PartialEvent[] {
    const open = this.#callFor(delta)
    const text = argumentsIn(argumentsOf(delta))
    open.call = {
      ...open.call,
      ...without(delta, 'function', 'index', 'id'),
      id: textIn(open.call['id']) ?? textIn(delta['id']),
      // Some servers repeat the name with every delta.
      function: { name: nameIn(open.call) ?? nameIn(delta) },
    }
    open.text += text
    if (open.id === undefined) return nameIn(delta) ? this.#announce(open) : []
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
          : (this.#callOf.get(id) ?? last)
    if (found && !this.#beginsAnother(found, delta)) return found
    const open: OpenCall = {
      index: this.#calls.length,
      chunk: this.#chunks,
      call: {},
      text: '',
      id: undefined,
    }
    this.#calls.push(open)
    if (typeof index === 'number') this.#callAt.set(index, open)
    if (id !== undefined) this.#callOf.set(id, open)
    return open
  }

  /**
   * Whether a delta begins another call than the one that its index, or the lack of one, points to. Some
   * servers number every call 0, or none; others change a call's id with every delta.
   */
  #beginsAnother({ call, text, chunk }: OpenCall, delta: JsonObject): boolean {
    const [id, name] = [textIn(delta['id']), nameIn(delta)]
    const [knownId, knownName] = [textIn(call['id']), nameIn(call)]
    if (name !== undefined && knownName !== undefined && name !== knownName) return true
    const isSameId = id !== undefined && id === knownId
    const isOtherId = id !== undefined && knownId !== undefined && id !== knownId
    if (isSameId || (id === undefined && name === undefined)) return false
    if (isOtherId && chunk === this.#chunks) return true
    return isObject(parseOrNothing(text)) && (isOtherId || argumentsIn(argumentsOf(delta)) !== '')
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
      content: [{ type: 'thinking', thinking: [{ type: 'text', text: thinking }] }, ...text],
    }
  }
}

function argumentsOf(call: JsonObject): unknown {
  return isObject(call['function']) ? call['function']['arguments'] : undefined
}

function nameIn(call: JsonObject): string | undefined {
  return isObject(call['function']) ? textIn(call['function']['name']) : undefined
}

/** Arguments that are whole; nothing before the first of them came. */
function parseOrNothing(text: string): unknown {
  return text.trim() === '' ? undefined : parseArguments(text)
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
