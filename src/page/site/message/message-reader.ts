import { type Chunk, isChunk, providerMetadataOf, textIn, withMetadata } from './chunk.ts'
import { GrowingJson } from './growing-json.ts'
import { PartList } from './part-list.ts'
import { callIn, withAnswer, withInput, withOutcome } from './tool-chunks.ts'
import type { ReasoningPart, TextPart, ToolPart, UiMessage, UiMetadata, UiPart } from './types.ts'
import { dataPart, wholePart } from './whole-parts.ts'

/** The input of a call that streams. */
interface OpenInput {
  readonly isDynamic: boolean
  readonly json: GrowingJson
}

/**
 * Builds a message from the chunks of the server's UI message stream. It reads what `useChat` of the AI SDK, version 7,
 * reads. A chunk that is unknown, or has fields of other types, changes nothing.
 */
export class MessageReader {
  #parts: PartList
  #id: string | undefined
  #metadata: UiMetadata | undefined
  /** Where the texts and thoughts are that still grow. */
  readonly #open = new Map<string, number>()
  readonly #inputs = new Map<string, OpenInput>()
  #snapshot: UiMessage | undefined
  #error: string | undefined
  #isEnded = false
  #isAborted = false

  /** A run goes on in the message `before` if its stream repeats the message's id. */
  constructor(before?: UiMessage) {
    const isContinued = before?.role === 'assistant'
    this.#parts = new PartList(isContinued ? before.parts : [])
    if (!isContinued) return
    this.#id = before.id
    this.#metadata = before.metadata
    this.#snapshot = before
  }

  /** The message so far. A change makes a new one, in which unchanged parts are the same objects. */
  get message(): UiMessage | undefined {
    if (this.#snapshot || this.#id === undefined) return this.#snapshot
    const metadata = this.#metadata ? { metadata: this.#metadata } : {}
    const parts = this.#parts.snapshot()
    this.#snapshot = { id: this.#id, role: 'assistant', parts, ...metadata }
    return this.#snapshot
  }

  /** The text of an error of the run. */
  get error(): string | undefined {
    return this.#error
  }

  /** Whether the stream told how the run ended. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Whether the run was stopped. */
  get isAborted(): boolean {
    return this.#isAborted
  }

  /** Takes one parsed chunk. Never throws. */
  add(chunk: unknown): void {
    if (!isChunk(chunk)) return
    const type = textIn(chunk, 'type') ?? ''
    if (type.startsWith('text-') || type.startsWith('reasoning-')) this.#addText(type, chunk)
    else if (type.startsWith('tool-')) this.#addCall(type, chunk)
    else if (isDataType(type)) this.#addData(type, chunk)
    else this.#addOther(type, chunk)
  }

  #addOther(type: string, chunk: Chunk): void {
    switch (type) {
      case 'start':
        this.#start(chunk)
        break
      case 'start-step':
        this.#put(undefined, { type: 'step-start' })
        break
      case 'reset-step':
        this.#resetStep()
        break
      case 'file':
      case 'source-url':
      case 'source-document':
        this.#addWhole(chunk)
        break
      case 'message-metadata':
        this.#addMetadata(chunk)
        break
      case 'finish':
      case 'abort':
      case 'error':
        this.#end(type, chunk)
    }
  }

  #addWhole(chunk: Chunk): void {
    const part = wholePart(chunk)
    if (part) this.#put(undefined, part)
  }

  #start(chunk: Chunk): void {
    const id = textIn(chunk, 'messageId')
    if (id !== undefined && this.#id !== undefined && id !== this.#id) {
      this.#parts = new PartList()
      this.#metadata = undefined
      this.#forgetOpen()
    }
    this.#id = id ?? this.#id
    this.#addMetadata(chunk)
    this.#changed()
  }

  #resetStep(): void {
    this.#parts.resetStep()
    this.#forgetOpen()
    this.#changed()
  }

  #end(type: 'finish' | 'abort' | 'error', chunk: Chunk): void {
    this.#isEnded = true
    this.#isAborted = type === 'abort'
    if (type === 'error') this.#error = textIn(chunk, 'errorText') ?? ''
    else this.#addMetadata(chunk)
  }

  #addMetadata({ messageMetadata }: Chunk): void {
    const metadata = withMetadata(this.#metadata, messageMetadata)
    if (metadata === this.#metadata) return
    this.#metadata = metadata
    this.#changed()
  }

  #addText(type: string, chunk: Chunk): void {
    const kind = type.startsWith('text-') ? 'text' : 'reasoning'
    const id = textIn(chunk, 'id')
    if (id === undefined) return
    const key = `${kind}:${id}`
    if (type === `${kind}-start`) {
      this.#open.set(key, this.#put(undefined, begunText(kind, id, chunk)))
      return
    }
    const place = this.#open.get(key)
    const part = place === undefined ? undefined : this.#parts.at(place)
    if (part?.type !== kind) return
    const grown = grownText(part, type.slice(kind.length + 1), chunk)
    if (grown?.state === 'done') this.#open.delete(key)
    if (grown) this.#put(place, grown)
  }

  #addCall(type: string, chunk: Chunk): void {
    if (type === 'tool-input-delta') this.#addInput(chunk)
    else if (type.startsWith('tool-input-')) this.#addInputEdge(type, chunk)
    else if (type === 'tool-approval-response') {
      const place = this.#parts.placeOfApproval(textIn(chunk, 'approvalId') ?? '')
      this.#replaceCall(place, (part) => withAnswer(part, chunk))
    } else {
      const place = this.#parts.placeOfCall(textIn(chunk, 'toolCallId') ?? '')
      this.#replaceCall(place, (part) => withOutcome(part, chunk))
    }
  }

  #addInput(chunk: Chunk): void {
    const id = textIn(chunk, 'toolCallId') ?? ''
    const open = this.#inputs.get(id)
    const delta = textIn(chunk, 'inputTextDelta')
    if (!open || delta === undefined) return
    open.json.add(delta)
    const place = this.#parts.placeInStep(id, open.isDynamic)
    this.#replaceCall(place, (part) => ({ ...part, input: open.json.value }))
  }

  #addInputEdge(type: string, chunk: Chunk): void {
    const call = callIn(chunk)
    if (!call || !/^tool-input-(?:start|available|error)$/.test(type)) return
    const found = type === 'tool-input-error' ? this.#parts.placeOfAnyInStep(call.id) : undefined
    const place = found ?? this.#parts.placeInStep(call.id, call.isDynamic)
    const before = this.#parts.call(place)
    const isDynamic = before ? before.type === 'dynamic-tool' : call.isDynamic
    this.#put(place, withInput(before, { ...call, isDynamic }, chunk))
    if (type === 'tool-input-start') {
      this.#inputs.set(call.id, { isDynamic, json: new GrowingJson() })
    } else this.#inputs.delete(call.id)
  }

  #replaceCall(place: number | undefined, change: (part: ToolPart) => ToolPart | undefined): void {
    const part = this.#parts.call(place)
    const next = part && change(part)
    if (next) this.#put(place, next)
  }

  #addData(type: `data-${string}`, chunk: Chunk): void {
    const part = dataPart(type, chunk)
    if (!part) return
    this.#put(part.id === undefined ? undefined : this.#parts.placeOfData(type, part.id), part)
  }

  /** Puts a part in a place, or after the others. */
  #put(place: number | undefined, part: UiPart): number {
    this.#changed()
    if (place === undefined) return this.#parts.push(part)
    this.#parts.replace(place, part)
    return place
  }

  #changed(): void {
    this.#id ??= ''
    this.#snapshot = undefined
  }

  #forgetOpen(): void {
    this.#open.clear()
    this.#inputs.clear()
  }
}

function begunText(kind: 'text' | 'reasoning', id: string, chunk: Chunk): UiPart {
  const begun = { text: '', state: 'streaming', ...providerMetadataOf(chunk) } as const
  return kind === 'text' ? { type: kind, ...begun } : { type: kind, id, ...begun }
}

function grownText<T extends TextPart | ReasoningPart>(
  part: T,
  action: string,
  chunk: Chunk,
): T | undefined {
  if (action === 'end') return { ...part, state: 'done', ...providerMetadataOf(chunk) }
  const delta = textIn(chunk, 'delta')
  if (action !== 'delta' || delta === undefined) return undefined
  return { ...part, text: part.text + delta, ...providerMetadataOf(chunk) }
}

function isDataType(type: string): type is `data-${string}` {
  return type.startsWith('data-')
}
