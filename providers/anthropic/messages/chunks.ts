import {
  DELTA_TYPES,
  type Gathering,
  objectsIn,
  providerError,
  tell,
  textIn,
} from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, type Part, type PartialEvent } from '@braidwork/plugin'
import { ANTHROPIC } from '../profile.ts'
import { type CallNames, idOf, isCall, isHostRun, nameOf, partsOf } from './blocks.ts'
import { type Around, metadataOf } from './message.ts'
import { OpenBlock } from './open-block.ts'
import { usageOf } from './usage.ts'

/**
 * True for an event that ends an answer, false for one that begins it, undefined for all others. Some proxies omit
 * the last event, so an event with a stop reason counts as the end too.
 */
export function isWholeMessage({ type, delta }: JsonObject): boolean | undefined {
  if (type === 'message_start') return false
  if (type === 'message_stop') return true
  const hasReason = isObject(delta) && textIn(delta['stop_reason']) !== undefined
  return (type === 'message_delta' && hasReason) || undefined
}

/** Collects the events of one answer: converts each to partial events, and all of them to the whole answer. */
export class MessagesAnswer implements Gathering {
  readonly #open = new Map<unknown, OpenBlock>()
  /** Blocks in the order in which they began. The first open one is shown while it grows. */
  readonly #blocks: OpenBlock[] = []
  readonly #ids = new Set<string>()
  /** The tool calls, by id. */
  readonly #calls = new Map<string, OpenBlock>()
  #citations = 0
  #shown = 0
  #events: PartialEvent[] = []
  /** The fields of the message itself. Events add to it in place. */
  #message: { [key: string]: unknown } = {}
  #usage: { [key: string]: unknown } | undefined
  #isOpen = false
  #isOver = false
  readonly #around: Around

  constructor(around: Around) {
    this.#around = around
  }

  get held(): number {
    return this.#blocks.length + this.#citations
  }

  add(event: JsonObject): readonly PartialEvent[] {
    this.#events = []
    this.#handle(event)
    return this.#events
  }

  /** Ends the answer. @returns the whole answer, and the last partial events */
  end(): { events: readonly PartialEvent[]; final: JsonObject } {
    this.#events = []
    this.#closeAll()
    const content = this.#blocks.map(({ block }) => block)
    const final = { ...this.#message, usage: this.#usage, content }
    const metadata = metadataOf(final, this.#around)
    return { events: [...this.#events, { type: 'metadata', metadata }], final }
  }

  #handle(event: JsonObject): void {
    const { type, index } = event
    if (type === 'message_start') this.#begin(event['message'])
    // Events after the end are not part of the answer, unless they begin another one.
    else if (this.#isOver) return
    else if (type === 'message_delta') this.#merge(event)
    else if (type === 'message_stop') this.#stop()
    else if (type === 'content_block_start' && isObject(event['content_block'])) {
      this.#start(index, event['content_block'])
    } else if (type === 'content_block_delta' && isObject(event['delta'])) {
      this.#grow(index, event['delta'])
    } else if (type === 'content_block_stop') {
      const open = this.#open.get(index)
      if (open) this.#close(index, open)
    }
  }

  /** Handles the start of a message. If one is open, the start is a repetition, or comes from another answer. */
  #begin(message: unknown): void {
    const given = isObject(message) ? message : {}
    const { id } = this.#message
    if (this.#isOpen && id !== undefined && given['id'] !== id) throw spliced(id, given['id'])
    if (this.#isOpen) return
    this.#isOpen = true
    this.#isOver = false
    this.#message = { ...given }
    this.#usage = undefined
    this.#addUsage(given['usage'])
    // An answer that fails or is cancelled has no other usage.
    const usage = usageOf(this.#usage)
    if (usage && !given['stop_reason']) this.#events.push({ type: 'metadata', metadata: { usage } })
    for (const block of objectsIn(given['content'])) {
      const place = Symbol('whole')
      this.#start(place, block)
      const open = this.#open.get(place)
      if (open) this.#close(place, open)
    }
  }

  #merge({ delta, usage, context_management: edits }: JsonObject): void {
    if (isObject(delta)) tell(this.#message, delta)
    if (isObject(edits)) this.#message['context_management'] = edits
    this.#addUsage(usage)
  }

  /** Takes over usage. The numbers are totals, not increments. */
  #addUsage(usage: unknown): void {
    if (!isObject(usage)) return
    this.#usage ??= {}
    tell(this.#usage, usage)
  }

  #stop(): void {
    this.#closeAll()
    this.#isOpen = false
    this.#isOver = true
  }

  #start(index: unknown, block: JsonObject): OpenBlock {
    const before = this.#open.get(index)
    if (before) this.#close(index, before)
    const place = this.#blocks.length
    const open = new OpenBlock(idOf(block, place, this.#ids), block, place)
    this.#open.set(index, open)
    this.#blocks.push(open)
    if (isCall(open.block)) this.#calls.set(open.id, open)
    if (open.kind !== 'text') this.#show(open)
    if (open.firstText !== '') this.#showText(open, open.firstText)
    return open
  }

  /** Adds a delta to its block. If the block's start is missing and the delta shows its kind, starts the block. */
  #grow(index: unknown, delta: JsonObject): void {
    const open = this.#open.get(index) ?? this.#startMissing(index, delta['type'])
    if (isObject(delta['citation'])) this.#citations++
    const text = open?.add(delta) ?? ''
    if (open && text !== '') this.#showText(open, text)
  }

  #startMissing(index: unknown, type: unknown): OpenBlock | undefined {
    if (type === 'text_delta') return this.#start(index, { type: 'text', text: '' })
    if (type === 'thinking_delta') return this.#start(index, { type: 'thinking', thinking: '' })
    return undefined
  }

  #show(open: OpenBlock): void {
    const { id, kind, block } = open
    if (kind === undefined) return
    open.isShown = true
    if (kind === 'tool-call') {
      const name = textIn(block['name']) ?? 'unnamed'
      this.#emit(open, { type: 'tool-call-start', id, name, ...whoRuns(block) })
    } else this.#emit(open, { type: `${kind}-start`, id })
  }

  #showText(open: OpenBlock, delta: string): void {
    if (!open.isShown) this.#show(open)
    if (open.kind) this.#emit(open, { type: DELTA_TYPES[open.kind], id: open.id, delta })
  }

  #close(index: unknown, open: OpenBlock): void {
    this.#open.delete(index)
    const block = open.finish()
    const parts = partsOf(block, this.#namesBefore(open), this.#around.profile)
    for (const part of parts) this.#emit(open, endOf(part, open))
    open.isClosed = true
    this.#advance()
  }

  /** The names of the calls that began before a block. */
  #namesBefore({ place }: OpenBlock): CallNames {
    const get = (id: string): string | undefined => {
      const call = this.#calls.get(id)
      return call && call.place < place ? nameOf(call.block) : undefined
    }
    return { get }
  }

  #closeAll(): void {
    for (const [index, open] of this.#open) this.#close(index, open)
  }

  /** Emits an event, or holds it until the earlier blocks end: message parts never overlap, unlike blocks. */
  #emit(open: OpenBlock, event: PartialEvent): void {
    if (open !== this.#blocks[this.#shown]) open.waiting.push(event)
    // Most chunks have one event, for which a list that grows would be three times as large.
    else if (this.#events.length === 0) this.#events = [event]
    else this.#events.push(event)
  }

  #advance(): void {
    while (this.#blocks[this.#shown]?.isClosed) {
      this.#shown++
      for (const event of this.#blocks[this.#shown]?.waiting.splice(0) ?? [])
        this.#events.push(event)
    }
  }
}

/** The event that ends a part. */
function endOf(part: Part, { id, block }: OpenBlock): PartialEvent {
  const { providerMetadata } = part
  const facts = providerMetadata ? { providerMetadata } : {}
  if (part.type === 'text' || part.type === 'reasoning')
    return { type: `${part.type}-end`, id, ...facts }
  if (part.type !== 'tool-call') return part
  return { type: 'tool-call-end', id, input: part.input, ...whoRuns(block), ...facts }
}

function whoRuns(block: JsonObject): { readonly providerExecuted?: true } {
  return isHostRun(block) ? {} : { providerExecuted: true }
}

/** The error for two answers in one stream: it is unknown which answer a block belongs to. */
function spliced(before: unknown, now: unknown): Error {
  const message = `${ANTHROPIC.title} began another answer ("${String(now)}") before "${String(before)}" had ended.`
  return providerError('PROVIDER_FAILED', message, { retryable: true })
}
