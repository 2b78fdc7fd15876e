import type { FilePart, RunEvent, SourcePart } from '@braidwork/plugin'
import { Line } from './line.ts'

/** What the end of a part says of it. */
export interface PartEnd {
  readonly id: string
  /** Of a call. */
  readonly input?: unknown
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

/** A part that a client is shown as it comes; the id of a call is the client's to answer by. */
export interface ShownPart {
  readonly kind: 'text' | 'reasoning' | 'tool-call'
  readonly id: string
  /** Of the called tool. */
  readonly name: string
}

/** How a protocol spells what a client is shown. Parts come one after the other, each opened once and closed once. */
export interface PartWriter {
  open(part: ShownPart): string
  /** Goes on with the part that was opened last; never empty. */
  delta(part: ShownPart, text: string): string
  /** @param end what the run says of the part; nothing where it was cut off */
  close(part: ShownPart, end: PartEnd | undefined): string
  file(file: FilePart): string
  /** What the text before it rests on, where one stands directly before it. */
  source(source: SourcePart): string
  /** What comes next has nothing to do with the text before it. */
  rest(): string
}

/** A part on its way: the first of the queue is written as it comes, the others wait for their turn. */
interface Segment extends ShownPart {
  texts: string[]
  hasText: boolean
  end: PartEnd | undefined
}

/** What does not come bit by bit; nothing stands for a call that is not shown. */
interface Whole {
  readonly kind: 'whole'
  readonly event: FilePart | SourcePart | undefined
}

type Entry = Segment | Whole

/**
 * A run's events as the parts of one answer. Calls of the host's and of the provider's tools are left
 * out, with their results: what came before and after them belongs together. Parts that come at the same
 * time are put one after the other, in the order in which they began.
 */
export class ShownParts {
  readonly #writer: PartWriter
  readonly #clientTools: ReadonlySet<string>
  readonly #queue = new Line<Entry>()
  readonly #segments = new Map<string, Segment>()
  /** The part that is written as it comes. */
  #live: Segment | undefined
  #calls = 0
  #callsOfStep = 0
  #isTornDown = false

  constructor(writer: PartWriter, clientTools: ReadonlySet<string>) {
    this.#writer = writer
    this.#clientTools = clientTools
  }

  /** How many calls the client has seen. */
  get calls(): number {
    return this.#calls
  }

  /** Whether the run took back a call that the client has seen: there is no word for that. */
  get isTornDown(): boolean {
    return this.#isTornDown
  }

  add(event: RunEvent): string {
    switch (event.type) {
      case 'text-delta':
        return this.#grow('text', event.id, event.delta)
      case 'reasoning-delta':
        return this.#grow('reasoning', event.id, event.delta)
      case 'tool-call-delta':
        return this.#grow('tool-call', event.id, event.delta)
      case 'text-start':
        return this.#start('text', event.id)
      case 'reasoning-start':
        return this.#start('reasoning', event.id)
      case 'tool-call-start':
        return this.#clientTools.has(event.name) && !event.providerExecuted
          ? this.#start('tool-call', event.id, event.name)
          : this.#place(undefined)
      case 'tool-result':
        return this.#place(undefined)
      case 'text-end':
        return this.#end('text', event)
      case 'reasoning-end':
        return this.#end('reasoning', event)
      case 'tool-call-end':
        return this.#end('tool-call', event)
      case 'file':
      case 'source':
        return this.#place(event)
      case 'step-start':
      case 'step-finish':
        return this.#endStep()
      case 'step-reset':
        return this.#reset()
      default:
        return ''
    }
  }

  /** Writes what waits, and closes what is open. */
  finish(): string {
    let text = ''
    for (const entry of this.#queue) text += this.#whole(entry)
    this.#queue.keep(0)
    this.#segments.clear()
    this.#live = undefined
    return text + this.#writer.rest()
  }

  #start(kind: ShownPart['kind'], id: string, name = ''): string {
    const segment: Segment = { kind, id, name, texts: [], hasText: false, end: undefined }
    this.#segments.set(`${kind}:${id}`, segment)
    this.#queue.push(segment)
    return this.#live === undefined && this.#queue.first === segment ? this.#show(segment) : ''
  }

  #grow(kind: ShownPart['kind'], id: string, delta: string): string {
    if (delta === '') return ''
    const live = this.#live
    if (live !== undefined && live.id === id && live.kind === kind) {
      live.hasText = true
      return this.#writer.delta(live, delta)
    }
    const segment = this.#segments.get(`${kind}:${id}`)
    if (segment?.end === undefined) segment?.texts.push(delta)
    return ''
  }

  #end(kind: ShownPart['kind'], event: PartEnd): string {
    const segment = this.#segments.get(`${kind}:${event.id}`)
    if (segment === undefined || segment.end !== undefined) return ''
    segment.end = event
    return segment === this.#live ? this.#advance() : ''
  }

  #place(event: Whole['event']): string {
    this.#queue.push({ kind: 'whole', event })
    return this.#live === undefined ? this.#advance() : ''
  }

  /** Writes all that is whole at the head of the queue, and begins what comes after it. */
  #advance(): string {
    let text = ''
    for (let head = this.#queue.first; head !== undefined; head = this.#queue.first) {
      if (head.kind !== 'whole' && head.end === undefined) return text + this.#show(head)
      text += this.#whole(head)
      this.#queue.shift()
    }
    return text
  }

  /** Begins to write a part as it comes. */
  #show(segment: Segment): string {
    this.#live = segment
    this.#count(segment)
    let text = this.#writer.open(segment)
    for (const waiting of segment.texts) {
      segment.hasText = true
      text += this.#writer.delta(segment, waiting)
    }
    segment.texts = []
    return text
  }

  #whole(entry: Entry): string {
    if (entry.kind === 'whole') return this.#placed(entry)
    const shown = this.#live === entry ? '' : this.#show(entry)
    this.#live = undefined
    return shown + this.#argumentsOf(entry) + this.#writer.close(entry, entry.end)
  }

  #placed({ event }: Whole): string {
    if (event === undefined) return this.#writer.rest()
    return event.type === 'file' ? this.#writer.file(event) : this.#writer.source(event)
  }

  /** Arguments that came as a value alone, or not at all. */
  #argumentsOf(segment: Segment): string {
    const { kind, hasText, end } = segment
    if (kind !== 'tool-call' || hasText || end === undefined) return ''
    const text = typeof end.input === 'string' ? end.input : JSON.stringify(end.input)
    return text ? this.#writer.delta(segment, text) : ''
  }

  #count({ kind }: Segment): void {
    if (kind !== 'tool-call') return
    this.#calls++
    this.#callsOfStep++
  }

  #endStep(): string {
    this.#callsOfStep = 0
    return this.finish()
  }

  /** What was written stays with the client; what waits is dropped. */
  #reset(): string {
    this.#isTornDown = this.#callsOfStep > 0
    if (this.#isTornDown) return ''
    this.#queue.keep(this.#live ? 1 : 0)
    return this.#endStep()
  }
}
