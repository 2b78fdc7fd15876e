import type { Profile } from '@braidwork/model-api'
import {
  argumentsText,
  factsOf,
  foreignText,
  joined,
  textIn,
  withoutLastReasoning,
} from '@braidwork/model-api/exchange'
import {
  type FilePart,
  isObject,
  type JsonObject,
  type Message,
  type Part,
  type ToolCallPart,
} from '@braidwork/plugin'
import { reasons } from '../models.ts'
import { isReasoning, withoutId } from './refused-reasoning.ts'
import { contentOf, resultItems } from './results.ts'

export interface InputAround {
  readonly profile: Profile
  readonly model: string
  /** Whether the API stores answers. If so, it knows reasoning without encrypted content by its id. */
  readonly isStored: boolean
}

/** Converts core messages to input items. Items of this provider come back unchanged; those of others become text. */
export function inputOf(messages: readonly Message[], around: InputAround): readonly JsonObject[] {
  const calls = new Map<string, JsonObject>()
  return messages.flatMap((message) => {
    if (message.role === 'assistant') return assistantItems(message, around, calls)
    if (message.role === 'system') return systemItem(message.parts, around)
    const results = message.parts.flatMap((part) => resultItems(part, around.profile, calls))
    const content = message.role === 'user' ? message.parts.flatMap(contentOf) : []
    return content.length > 0 ? [...results, { role: 'user', content }] : results
  })
}

function assistantItems(
  message: Message,
  around: InputAround,
  calls: Map<string, JsonObject>,
): readonly JsonObject[] {
  const isStored = around.isStored && !isCut(message, around)
  const items = new AssistantItems({ ...around, isStored }, calls).addAll(message.parts)
  const sent = withoutLastReasoning(items.filter(canBeSent(isStored)), isReasoning)
  const hasAll = items.filter(isReasoning).length === sent.filter(isReasoning).length
  return hasAll ? sent : sent.map(withoutId)
}

/** The facts about the item of a part. A text that was cut off is of no item, and has at most the mark of a refusal. */
function itemFactsOf(part: Part, profile: Profile): JsonObject | undefined {
  const facts = factsOf(part, profile)
  const isOfItem = ['item', 'itemId', 'content'].some((key) => facts?.[key] !== undefined)
  return part.type === 'text' && !isOfItem ? undefined : facts
}

/** Whether an answer was cut off in a text or a call, which then have no facts. The API did not store it. */
function isCut({ parts, metadata }: Message, { profile }: InputAround): boolean {
  const isOpen = (part: Part): boolean =>
    (part.type === 'text' || part.type === 'tool-call') && itemFactsOf(part, profile) === undefined
  return metadata?.['finishReason'] === undefined && parts.some(isOpen)
}

/** Whether an item can be sent. If the API did not store it, it must contain its encrypted content. */
function canBeSent(isStored: boolean): (item: JsonObject) => boolean {
  return (item) => isStored || !isReasoning(item) || textIn(item['encrypted_content']) !== undefined
}

function systemItem(parts: readonly Part[], { model }: InputAround): readonly JsonObject[] {
  const content = joined(parts.map((part) => (part.type === 'text' ? part.text : undefined)))
  return [{ role: reasons(model) ? 'developer' : 'system', content }]
}

/** Restores the items of one assistant message from its parts. */
class AssistantItems {
  readonly #around: InputAround
  readonly #calls: Map<string, JsonObject>
  readonly #items: JsonObject[] = []
  /** The index of the last item with each id. */
  readonly #places = new Map<unknown, number>()
  /** Text lists that were created here, and may therefore be extended. */
  readonly #grown = new Set<unknown>()

  constructor(around: InputAround, calls: Map<string, JsonObject>) {
    this.#around = around
    this.#calls = calls
  }

  addAll(parts: readonly Part[]): readonly JsonObject[] {
    for (const part of parts) {
      const facts = itemFactsOf(part, this.#around.profile)
      if (facts) this.#addOwn(part, facts)
      else this.#addForeign(part)
    }
    return this.#items
  }

  #addOwn(part: Part, facts: JsonObject): void {
    const item = isObject(facts['item']) ? facts['item'] : undefined
    if (part.type === 'text') this.#addText(part.text, { list: 'content', facts, item })
    else if (part.type === 'reasoning')
      this.#addText(part.text, { list: facts['list'], facts, item })
    else if (part.type === 'tool-call') this.#addCall(part, item)
    else if (part.type === 'data') this.#addItem(part.data)
    else if (part.type === 'tool-result' && item) this.#addItem(item)
    else if (part.type === 'file') this.#addResult(part, facts)
  }

  /** Adds a text to a new item or to the previous one. */
  #addText(
    text: string,
    { list, facts, item }: { list: unknown; facts: JsonObject; item: JsonObject | undefined },
  ): void {
    if (list !== 'content' && list !== 'summary') {
      this.#addItem(item)
      return
    }
    const content: JsonObject = isObject(facts['content'])
      ? facts['content']
      : { type: 'output_text' }
    const entry = { ...content, [content['type'] === 'refusal' ? 'refusal' : 'text']: text }
    const last = item ?? this.#items.at(-1)
    const continues =
      !item && last !== undefined && last['id'] === facts['itemId'] && isTextual(last)
    if (!item && !continues) {
      if (list === 'content') this.#addForeign({ type: 'text', text })
      return
    }
    if (continues) this.#items.pop()
    const isReasoning = last?.['type'] === 'reasoning'
    this.#push({
      ...last,
      ...(isReasoning ? { summary: last['summary'] ?? [] } : {}),
      [list]: this.#withEntry(last?.[list], entry),
    })
  }

  #withEntry(known: unknown, entry: JsonObject): readonly unknown[] {
    const entries: unknown[] = Array.isArray(known) ? known : []
    const grown = this.#grown.has(known) ? entries : [...entries]
    this.#grown.add(grown)
    grown.push(entry)
    return grown
  }

  #push(item: JsonObject): void {
    this.#places.set(item['id'], this.#items.push(item) - 1)
  }

  #addCall(part: ToolCallPart, item: JsonObject | undefined): void {
    if (!item) {
      this.#addForeign(part)
      return
    }
    // A run gives a call another id where the API repeats one. The result has that id too.
    const named = item['call_id'] === undefined ? item : { ...item, call_id: part.callId }
    this.#calls.set(part.callId, named)
    const given = item['arguments']
    const hasText = item['type'] === 'function_call'
    this.#addItem(hasText ? { ...named, arguments: argumentsText(part.input, given) } : named)
  }

  #addItem(item: unknown): void {
    if (isObject(item) && textIn(item['type'])) this.#push(item)
  }

  /** Puts a generated image back into the item of its call. */
  #addResult({ data }: FilePart, { itemId }: JsonObject): void {
    const at = this.#places.get(itemId) ?? -1
    const item = this.#items[at]
    if (item?.['type'] === 'image_generation_call' && data)
      this.#items[at] = { ...item, result: data }
  }

  #addForeign(part: Part): void {
    if (part.type === 'tool-call' && !part.providerExecuted) {
      this.#push({
        type: 'function_call',
        call_id: part.callId,
        name: part.name,
        arguments: argumentsText(part.input),
      })
      return
    }
    const text = part.type === 'text' ? part.text : foreignText(part)
    if (text) this.#push({ role: 'assistant', content: text })
  }
}

function isTextual(item: JsonObject): boolean {
  return item['type'] === 'message' || item['type'] === 'reasoning'
}
