import { parseArguments, textIn } from '@braidwork/model-api/exchange'
import { GrowingText, isObject, type JsonObject, type PartialEvent } from '@braidwork/plugin'
import { isCall, textKeyOf } from './blocks.ts'

/** Texts of a block that grow by deltas, beside the one that is shown. */
type Hidden = 'signature' | 'content' | 'encrypted_content'

/** What a block is shown as; nothing where it is not shown as it comes. */
type ShownKind = 'text' | 'reasoning' | 'tool-call' | undefined

/** A content block as it comes. */
export class OpenBlock {
  /** What its events are named by: the id of a call, or a place. */
  readonly id: string
  /** Which of the answer's blocks it is. */
  readonly place: number
  /** Events that wait until the blocks before it have ended. */
  readonly waiting: PartialEvent[] = []
  isShown = false
  isClosed = false
  readonly kind: ShownKind
  /** The text that the block began with. */
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

  /** What it began with; once it has ended, all of it. */
  get block(): JsonObject {
    return this.#block
  }

  /** Takes a delta. @returns the text that it adds to what is shown */
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

  /** The block as it is at its end, its arguments read. */
  finish(): JsonObject {
    const { input } = this.#block
    // A server may have begun with arguments that are a text.
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
