import type { Part, PartialEvent } from '@braidwork/plugin'
import { providerError } from './errors.ts'
import { metadataOf, toPart } from './from-native.ts'
import type { Chunk, Content, NativeAnswer } from './native.ts'

/** A chunk that begins a piece of text, reasoning or a call. */
type Head = Extract<Chunk, { type: 'text' | 'reasoning' | 'tool_call' }>

/** Converts the chunks of one answer to events, and builds the whole answer from them. */
export class Gathering {
  readonly #content: Content[] = []
  #head: Head | undefined
  #text = ''
  #answer: NativeAnswer | undefined

  /** The whole answer, after its `end` chunk. */
  get answer(): NativeAnswer | undefined {
    return this.#answer
  }

  /** @throws PROVIDER_FAILED if the chunk is malformed. */
  add(chunk: Chunk): readonly PartialEvent[] {
    switch (chunk?.type) {
      case 'text':
      case 'reasoning':
        return this.#isOpen(chunk)
          ? [this.#append(chunk.type, chunk.text)]
          : [...this.#begin(chunk), this.#append(chunk.type, chunk.text)]
      case 'tool_call':
        return this.#begin(chunk)
      case 'arguments':
        return [this.#append('tool_call', chunk.text)]
      case 'content':
        return [...this.#close(), this.#addWhole(chunk.content)]
      case 'end':
        return [...this.#close(), this.#end(chunk)]
      default:
        throw unreadable(chunk)
    }
  }

  #isOpen({ index }: Head): boolean {
    return this.#head?.index === index
  }

  #begin(head: Head): readonly PartialEvent[] {
    if (this.#isOpen(head)) return []
    const closed = this.#close()
    this.#head = head
    this.#text = ''
    return [...closed, startEvent(head)]
  }

  #append(type: Head['type'], text: string): PartialEvent {
    if (this.#head?.type !== type || typeof text !== 'string') throw unreadable({ type, text })
    this.#text += text
    if (this.#head.type === 'tool_call')
      return { type: 'tool-call-delta', id: this.#head.id, delta: text }
    return { type: `${this.#head.type}-delta`, id: `${this.#head.index}`, delta: text }
  }

  #close(): readonly PartialEvent[] {
    const head = this.#head
    if (!head) return []
    this.#head = undefined
    const content = contentOf(head, this.#text)
    this.#content.push(content)
    return [endEvent(toPart(content), `${head.index}`)]
  }

  #addWhole(content: Content): PartialEvent {
    this.#content.push(content)
    return toPart(content) as PartialEvent
  }

  #end({ type: _, ...ending }: Extract<Chunk, { type: 'end' }>): PartialEvent {
    this.#answer = { role: 'assistant', content: this.#content, ...ending }
    return { type: 'metadata', metadata: metadataOf(ending) }
  }
}

function startEvent(head: Head): PartialEvent {
  if (head.type !== 'tool_call') return { type: `${head.type}-start`, id: `${head.index}` }
  const start = { type: 'tool-call-start', id: head.id, name: head.name } as const
  return head.provider_executed ? { ...start, providerExecuted: true } : start
}

function contentOf(head: Head, text: string): Content {
  if (head.type === 'tool_call') {
    const { index: _, ...call } = head
    return { ...call, arguments: text }
  }
  return head.type === 'text'
    ? { type: 'text', text }
    : { type: 'reasoning', text, id: head.id ?? '' }
}

function endEvent(part: Part, id: string): PartialEvent {
  if (part.type === 'tool-call') {
    const { callId, type: _, name: __, ...rest } = part
    return { type: 'tool-call-end', id: callId, ...rest }
  }
  const facts = part.providerMetadata ? { providerMetadata: part.providerMetadata } : {}
  return { type: part.type === 'reasoning' ? 'reasoning-end' : 'text-end', id, ...facts }
}

function unreadable(chunk: unknown): Error {
  return providerError(
    'malformed',
    `a chunk cannot be read: ${JSON.stringify(chunk)?.slice(0, 80)}`,
  )
}
