import { parseArguments, textIn } from '@braidwork/model-api/exchange'
import { GrowingText, isObject, type JsonObject, type PartialEvent } from '@braidwork/plugin'
import { isCall, textKeyOf } from './blocks.ts'

/** Fields of a block that grow by deltas but are not shown as partial events. */
type Hidden = 'signature' | 'content' | 'encrypted_content'

/** The kind of partial events for a block; `undefined` if the block is not shown while it grows. */
type ShownKind = 'text' | 'reasoning' | 'tool-call' | undefined

/** A content block that is still being received. */
export class OpenBlock {
  /** The id in its partial events: a call's id, or one made from the block's place. */
  readonly id: string
  /** The index of the block in the answer. */
  readonly place: number
  /** Partial events that wait until the earlier blocks have ended. */
  readonly waiting: PartialEvent[] = []
  isShown = false
  isClosed = false
  readonly kind: ShownKind
  /** The text in the block's start event. */
  readonly firstText: string
  readonly #textKey: 'text' | 'thinking' | undefined
  readonly #text = new GrowingText()
  readonly #arguments = new GrowingText()
  readonly #hidden = new Map<Hidden, GrowingText>()
  readonly #citations: JsonObject[] = []
  #block: JsonObject

  constructor(id: string, block: JsonObject, place: number) {
    this.id = id
    this.place = place
    this.kind = kindOf(block)
    this.#textKey = textKeyOf(block)
    this.firstText = (this.#textKey && textIn(block[this.#textKey])) ?? ''
    this.#text.add(this.firstText)
    this.#block = isCall(block) ? { ...block, id } : block
  }

  /** The block as it started; after `finish`, the complete block. */
  get block(): JsonObject {
    return this.#block
  }

  /** Adds a delta. @returns the text that it adds to the partial events */
  add(delta: JsonObject): string {
    const { type } = delta
    if (type === 'text_delta') return this.#addText('text', delta['text'])
    if (type === 'thinking_delta') return this.#addText('thinking', delta['thinking'])
    if (type === 'input_json_delta') return this.#addArguments(delta['partial_json'])
    if (type === 'signature_delta') this.#grow('signature', delta['signature'])
    if (type === 'citations_delta' && isObject(delta['citation']))
      this.#addCitation(delta['citation'])
    if (type === 'compaction_delta') {
      this.#grow('content', delta['content'])
      this.#grow('encrypted_content', delta['encrypted_content'])
    }
    return ''
  }

  /** Completes the block and parses its arguments. */
  finish(): JsonObject {
    const { input } = this.#block
    // Some servers send the arguments in the start event, as text.
    const begun = typeof input === 'string' ? input : undefined
    const given = textIn(this.#arguments.toString()) ?? begun
    if (given !== undefined) this.#block = { ...this.#block, input: parseArguments(given) }
    const text = this.#text.toString()
    if (this.#textKey && text !== '') this.#block = { ...this.#block, [this.#textKey]: text }
    for (const [key, hidden] of this.#hidden) {
      this.#block = { ...this.#block, [key]: hidden.toString() }
    }
    if (this.#citations.length > 0) {
      const { citations } = this.#block
      const begun: readonly unknown[] = Array.isArray(citations) ? citations : []
      this.#block = { ...this.#block, citations: [...begun, ...this.#citations.splice(0)] }
    }
    return this.#block
  }

  #addText(key: 'text' | 'thinking', value: unknown): string {
    const text = key === this.#textKey ? textIn(value) : undefined
    if (text === undefined) return ''
    this.#text.add(text)
    return text
  }

  #addArguments(value: unknown): string {
    const text = this.kind === 'tool-call' ? textIn(value) : undefined
    if (text === undefined) return ''
    this.#arguments.add(text)
    return text
  }

  #grow(key: Hidden, value: unknown): void {
    const text = textIn(value)
    if (text === undefined) return
    let hidden = this.#hidden.get(key)
    if (!hidden) {
      hidden = new GrowingText()
      hidden.add(textIn(this.#block[key]) ?? '')
      this.#hidden.set(key, hidden)
    }
    hidden.add(text)
  }

  #addCitation(citation: JsonObject): void {
    this.#citations.push(citation)
  }
}

function kindOf(block: JsonObject): ShownKind {
  if (isCall(block)) return 'tool-call'
  if (block['type'] === 'redacted_thinking') return 'reasoning'
  const key = textKeyOf(block)
  return key === 'thinking' ? 'reasoning' : key
}
