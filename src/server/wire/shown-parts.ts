import type { FilePart, RunEvent, SourcePart, ToolResultPart } from '@braidwork/plugin'
import { type HostCall, HostCalls } from './host-calls.ts'
import { Line } from './line.ts'
import type { PartEnd, PartWriter, ShownPart } from './part-writer.ts'
import type { WireRequest } from './protocol.ts'
import { isRefusal } from './refusals.ts'
import { StepGaps } from './step-texts.ts'

/** A part in the queue. The first part is written as it arrives; the others wait. */
interface Segment extends ShownPart {
  texts: string[]
  hasText: boolean
  end: PartEnd | undefined
}

/**
 * A part that arrives at once. `event` is undefined for something that the client is not shown but that separates
 * parts.
 */
interface Whole {
  readonly kind: 'whole'
  readonly event: FilePart | SourcePart | EndedCall | undefined
}

/** A call that the host ran. */
interface EndedCall {
  readonly type: 'host-call'
  readonly ended: HostCall
}

type QueuedPart = Segment | Whole

/**
 * Whether a client of a protocol of parts can discard the content of a step. It cannot discard what it was sent; an
 * answer in one piece is sent at the end only. AW-26
 */
export function canResetParts({ isStreaming }: Pick<WireRequest, 'isStreaming'>): boolean {
  return !isStreaming
}

/**
 * Orders the events of a run as the parts of one response. A call that the host ran is one part, with its result; the
 * provider's own calls are left out. Parts that arrive at the same time are written one after the other, in the order in
 * which they started.
 */
export class ShownParts {
  readonly #writer: PartWriter
  readonly #clientTools: ReadonlySet<string>
  readonly #hostCalls: HostCalls
  readonly #gaps = new StepGaps()
  readonly #queue = new Line<QueuedPart>()
  readonly #segments = new Map<string, Segment>()
  /** The part that is being written as it arrives. */
  #live: Segment | undefined
  #calls = 0
  #callsOfStep = 0
  #isTornDown = false

  constructor(writer: PartWriter, clientTools: ReadonlySet<string>) {
    this.#writer = writer
    this.#clientTools = clientTools
    this.#hostCalls = new HostCalls((name) => clientTools.has(name))
  }

  /** The number of calls sent to the client. */
  get calls(): number {
    return this.#calls
  }

  /** Whether the run took back a call that was already sent, which protocols cannot express. */
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
        return this.#start('text', event.id, { isRefusal: isRefusal(event.providerMetadata) })
      case 'reasoning-start':
        return this.#start('reasoning', event.id)
      case 'tool-call-start':
        this.#hostCalls.start(event)
        return this.#clientTools.has(event.name) && !event.providerExecuted
          ? this.#start('tool-call', event.id, { name: event.name })
          : this.#place(undefined)
      case 'tool-result':
        return this.#place(undefined)
      case 'text-end':
        return this.#end('text', event)
      case 'reasoning-end':
        return this.#end('reasoning', event)
      case 'tool-call-end':
        this.#hostCalls.end(event)
        return this.#end('tool-call', event)
      case 'tool-execution-end':
        return this.#endHostCalls(event.result)
      case 'file':
      case 'source':
        return this.#place(event)
      case 'step-start':
        return this.#beginStep()
      case 'step-finish':
        return this.#endStep()
      case 'step-reset':
        return this.#reset()
      default:
        return ''
    }
  }

  /** Writes the parts that wait, and closes the open one. */
  finish(): string {
    let text = ''
    for (const entry of this.#queue) text += this.#whole(entry)
    this.#queue.keep(0)
    this.#segments.clear()
    this.#live = undefined
    for (const call of this.#hostCalls.rest()) text += this.#writer.hostCall(call)
    return text + this.#writer.rest()
  }

  #endHostCalls(result: ToolResultPart): string {
    let text = ''
    for (const ended of this.#hostCalls.answer(result)) {
      text += this.#place({ type: 'host-call', ended })
    }
    return text
  }

  #start(kind: ShownPart['kind'], id: string, about: Partial<ShownPart> = {}): string {
    const part: ShownPart = { kind, id, name: '', isRefusal: false, ...about }
    const segment: Segment = { ...part, texts: [], hasText: false, end: undefined }
    this.#segments.set(`${kind}:${id}`, segment)
    this.#queue.push(segment)
    return this.#live === undefined && this.#queue.first === segment ? this.#show(segment) : ''
  }

  #grow(kind: ShownPart['kind'], id: string, delta: string): string {
    if (delta === '') return ''
    const live = this.#live
    if (live !== undefined && live.id === id && live.kind === kind) {
      live.hasText = true
      return this.#write(live, delta)
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

  /** Writes all complete parts at the head of the queue, and opens the next one. */
  #advance(): string {
    let text = ''
    for (let head = this.#queue.first; head !== undefined; head = this.#queue.first) {
      if (head.kind !== 'whole' && head.end === undefined) return text + this.#show(head)
      text += this.#whole(head)
      this.#queue.shift()
    }
    return text
  }

  /** Opens a part for writing as it arrives. */
  #show(segment: Segment): string {
    this.#live = segment
    this.#count(segment)
    let text = this.#writer.open(segment)
    for (const waiting of segment.texts) {
      segment.hasText = true
      text += this.#write(segment, waiting)
    }
    segment.texts = []
    return text
  }

  #write(segment: Segment, text: string): string {
    const gap = segment.kind === 'text' ? this.#gaps.before() : ''
    return this.#writer.delta(segment, gap + text)
  }

  #whole(entry: QueuedPart): string {
    if (entry.kind === 'whole') return this.#placed(entry)
    const shown = this.#live === entry ? '' : this.#show(entry)
    this.#live = undefined
    return shown + this.#argumentsOf(entry) + this.#writer.close(entry, entry.end)
  }

  #placed({ event }: Whole): string {
    if (event === undefined) return this.#writer.rest()
    if (event.type === 'host-call') return this.#writer.hostCall(event.ended)
    return event.type === 'file' ? this.#writer.file(event) : this.#writer.source(event)
  }

  /** Writes arguments that arrived as a value instead of as text. */
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

  #beginStep(): string {
    const text = this.#endStep()
    this.#hostCalls.clear()
    this.#gaps.beginStep()
    return text
  }

  #endStep(): string {
    this.#callsOfStep = 0
    return this.finish()
  }

  /** Drops the parts that wait. The client keeps those already written. */
  #reset(): string {
    this.#isTornDown = this.#callsOfStep > 0
    if (this.#isTornDown) return ''
    this.#hostCalls.clear()
    this.#queue.keep(this.#live ? 1 : 0)
    const text = this.#endStep()
    this.#gaps.beginStep()
    return text
  }
}
