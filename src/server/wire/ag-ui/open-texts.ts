import type { SegmentEvent } from '@braidwork/plugin'
import { sseData } from '../index.ts'
import { encryptedValue, frameOf, headOf } from './events.ts'
import { type KeptMessages, restOf } from './kept-messages.ts'
import type { MessageIds } from './message-ids.ts'

type Kind = 'text' | 'reasoning'
type Facts = Pick<SegmentEvent & { readonly type: 'text-start' }, 'providerMetadata'>

interface OpenText {
  readonly kind: Kind
  readonly id: string
  readonly facts: Facts
  /** Empty until the first delta. */
  messageId: string
  /** How many of the next characters the client has already. */
  kept: number
  /** The JSON of a delta event up to the value of its delta. Undefined until the text's start has been sent. */
  head: string | undefined
}

/** The texts and reasonings that are still growing. Each is a message of its own. */
export class OpenTexts {
  readonly #ids: MessageIds
  readonly #kept: KeptMessages
  readonly #open = new Map<string, OpenText>()
  /** The text of the last delta. The next delta nearly always belongs to it too. */
  #recent: OpenText | undefined

  constructor(ids: MessageIds, kept: KeptMessages) {
    this.#ids = ids
    this.#kept = kept
  }

  start(kind: Kind, id: string, facts: Facts): string {
    const before = this.#closeOne(`${kind}:${id}`)
    const text: OpenText = { kind, id, facts, messageId: '', kept: 0, head: undefined }
    this.#open.set(`${kind}:${id}`, text)
    // An empty text is not a message, so its start is sent with its first delta.
    if (kind === 'text') return before
    this.#name(text)
    return text.kept > 0 ? before : before + this.#show(text)
  }

  /** Appends to a text. A text whose start is missing is started first, so that no content is lost. */
  grow(kind: Kind, id: string, delta: string): string {
    if (delta === '') return ''
    const recent = this.#recent
    if (recent?.id === id && recent.kind === kind && recent.head !== undefined) {
      return sseData(`${recent.head}${JSON.stringify(delta)}}`)
    }
    const text = this.#open.get(`${kind}:${id}`)
    if (text === undefined) return this.start(kind, id, {}) + this.grow(kind, id, delta)
    this.#name(text)
    const rest = restOf(text, delta)
    if (rest === '') return ''
    const shown = text.head === undefined ? this.#show(text) : ''
    this.#recent = text
    return shown + this.grow(kind, id, rest)
  }

  end(kind: Kind, id: string, facts: Facts): string {
    const key = `${kind}:${id}`
    const text = this.#open.get(key)
    if (text === undefined) return ''
    this.#open.delete(key)
    this.#recent = undefined
    const said = facts.providerMetadata ? facts : text.facts
    const isNew = text.messageId === ''
    if (isNew && !said.providerMetadata) return ''
    const shown = isNew ? this.#show(text) : ''
    // Without a head, the client has the whole text.
    const ended = text.head === undefined ? '' : this.#endFrames(text)
    return shown + ended + encryptedValue('message', text.messageId, said)
  }

  /** Ends all open texts, in the order in which they started. */
  close(): string {
    let frames = ''
    for (const key of this.#open.keys()) frames += this.#closeOne(key)
    return frames
  }

  #closeOne(key: string): string {
    const text = this.#open.get(key)
    return text === undefined ? '' : this.end(text.kind, text.id, {})
  }

  #name(text: OpenText): void {
    if (text.messageId !== '') return
    text.messageId = text.kind === 'text' ? this.#ids.next() : this.#ids.nextReasoning()
    text.kept = this.#kept.lengthOf(text.messageId)
  }

  #show(text: OpenText): string {
    this.#name(text)
    const { messageId } = text
    const isText = text.kind === 'text'
    const type = isText ? 'TEXT_MESSAGE' : 'REASONING_MESSAGE'
    text.head = headOf({ type: `${type}_CONTENT`, messageId })
    const role = isText ? 'assistant' : 'reasoning'
    const start = frameOf({ type: `${type}_START`, messageId, role })
    return isText ? start : frameOf({ type: 'REASONING_START', messageId }) + start
  }

  #endFrames({ kind, messageId }: OpenText): string {
    if (kind === 'text') return frameOf({ type: 'TEXT_MESSAGE_END', messageId })
    const end = frameOf({ type: 'REASONING_MESSAGE_END', messageId })
    return end + frameOf({ type: 'REASONING_END', messageId })
  }
}
