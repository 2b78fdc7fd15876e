import type { PartialEvent } from 'braidwork/plugin'
import { isObject, type JsonObject, parseArguments, textIn } from '../../model-api/json.ts'
import { isCall, textKeyOf } from './blocks.ts'

/** Lists and texts of a block that grow by deltas. */
type Growing = 'text' | 'thinking' | 'signature' | 'content' | 'encrypted_content'

/** A content block as it comes. */
export class OpenBlock {
  /** What its events are named by: the id of a call, or a place. */
  readonly id: string
  /** Events that wait until the blocks before it have ended. */
  readonly waiting: PartialEvent[] = []
  isShown = false
  isClosed = false
  #block: JsonObject
  #arguments = ''

  constructor(id: string, block: JsonObject) {
    this.id = id
    this.#block = isCall(block) ? { ...block, id } : block
  }

  get block(): JsonObject {
    return this.#block
  }

  get kind(): 'text' | 'reasoning' | 'tool-call' | undefined {
    if (isCall(this.#block)) return 'tool-call'
    if (this.#block['type'] === 'redacted_thinking') return 'reasoning'
    const key = textKeyOf(this.#block)
    return key === 'thinking' ? 'reasoning' : key
  }

  /** The text that the block began with. */
  get firstText(): string {
    const key = textKeyOf(this.#block)
    return key === undefined ? '' : (textIn(this.#block[key]) ?? '')
  }

  /** Takes a delta. @returns the text that it adds to what is shown */
  add(delta: JsonObject): string {
    const { type } = delta
    if (type === 'text_delta') return this.#grow('text', delta['text'])
    if (type === 'thinking_delta') return this.#grow('thinking', delta['thinking'])
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
    const input = this.#block['input']
    if (this.#arguments !== '')
      this.#block = { ...this.#block, input: parseArguments(this.#arguments) }
    // A server may have begun with arguments that are a text.
    else if (typeof input === 'string')
      this.#block = { ...this.#block, input: parseArguments(input) }
    return this.#block
  }

  #grow(key: Growing, value: unknown): string {
    const text = textIn(value)
    const isOwn = key !== textKeyOf(this.#block) && (key === 'text' || key === 'thinking')
    if (text === undefined || isOwn) return ''
    this.#block = { ...this.#block, [key]: (textIn(this.#block[key]) ?? '') + text }
    return text
  }

  #addArguments(value: unknown): string {
    const text = textIn(value)
    if (text === undefined || !isCall(this.#block)) return ''
    this.#arguments += text
    return text
  }

  #addCitation(citation: JsonObject): void {
    const { citations } = this.#block
    const known: readonly unknown[] = Array.isArray(citations) ? citations : []
    this.#block = { ...this.#block, citations: [...known, citation] }
  }
}
