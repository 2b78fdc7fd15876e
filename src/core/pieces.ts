import {
  eventsOf,
  HostError,
  isMessage,
  isObject,
  type Message,
  type Part,
  type PartialEvent,
} from '@braidwork/plugin'
import { type AnyPlugin, inputOf } from '@braidwork/plugin/internal'
import { type Answering, GatheredMessage } from './gathered-message.ts'

type Piece = string | Message
type Streamed = Extract<Part, { type: 'text' | 'reasoning' }>
type Call = Extract<Part, { type: 'tool-call' }>

/** The text or the reasoning that a piece began and another may continue. */
interface OpenPart {
  readonly type: Streamed['type']
  readonly id: string
}

/** The events that add a part. */
const ADDING: ReadonlySet<unknown> = new Set<PartialEvent['type']>([
  'text-start',
  'reasoning-start',
  'tool-call-start',
  'file',
  'source',
  'data',
])

type Result<S> = readonly [partials: List, finals: List, native: unknown, state: S]
type Step<S> = (chunk: unknown, native: unknown, state: S) => Result<S> | Promise<Result<S>>
type List = readonly unknown[]

/**
 * Makes events out of the pieces of an answer: a text, or a message whose parts are to be appended. It opens a part with
 * its first piece, continues it, and closes it before another part and at the end. Calls may be continued in turns.
 * Events stay as they are.
 */
export class Pieces {
  readonly #provider: AnyPlugin
  readonly #yieldsEvents: boolean
  #open: OpenPart | undefined
  /** The arguments of the calls that are open, as far as they came, by the ids of the calls. */
  readonly #calls = new Map<string, string>()
  #count = 0
  /** The final message, if the provider gives none. */
  readonly gathered: GatheredMessage

  constructor(answering: Answering) {
    this.#provider = answering.provider
    this.#yieldsEvents = answering.yieldsEvents
    this.gathered = new GatheredMessage(answering)
  }

  /**
   * The chunks of a provider that yields its answer, as events. Other chunks stay as they are.
   * @throws {HostError} EVENTS_INVALID for an object with parts that is no message of the assistant
   */
  ofChunks(chunks: List): List {
    return this.#yieldsEvents ? this.#eventsOf(chunks) : chunks
  }

  /** The provider's `processChunk`, with events instead of the pieces among its partials. */
  ofStep<S>(run: Step<S>): Step<S> {
    const ofResult = (result: Result<S>): Result<S> => this.#ofResult(result)
    return (chunk, native, state) => {
      const result = run(chunk, native, state)
      return result instanceof Promise ? result.then(ofResult) : ofResult(result)
    }
  }

  /** Ends the parts that are open. */
  close(): PartialEvent[] {
    const calls = [...this.#calls.keys()].flatMap((id) => this.#endCall(id))
    return [...this.#endOpen(), ...calls]
  }

  #endOpen(facts: object = {}): PartialEvent[] {
    const open = this.#open
    this.#open = undefined
    return open ? [{ type: `${open.type}-end`, id: open.id, ...facts }] : []
  }

  #endCall(id: string, facts: object = {}): PartialEvent[] {
    const text = this.#calls.get(id) ?? ''
    this.#calls.delete(id)
    // APIs write no arguments for a tool that takes none.
    return [{ type: 'tool-call-end', id, input: text === '' ? {} : inputOf(text), ...facts }]
  }

  #ofResult<S>(result: Result<S>): Result<S> {
    const [partials, finals, native, state] = result
    const events = this.#eventsOf(partials)
    if (finals.length > 0) this.gathered.leave()
    else this.gathered.follow(events, events !== partials)
    return events === partials ? result : [events, finals, native, state]
  }

  #eventsOf(chunks: List): List {
    if (!hasPiece(chunks) && !(this.#hasOpen && chunks.some(addsPart))) return chunks
    return chunks.flatMap((chunk): List => {
      if (isPiece(chunk)) return this.#eventsOfPiece(chunk)
      return addsPart(chunk) ? [...this.close(), chunk] : [chunk]
    })
  }

  get #hasOpen(): boolean {
    return this.#open !== undefined || this.#calls.size > 0
  }

  #eventsOfPiece(piece: Piece): PartialEvent[] {
    if (typeof piece === 'string') return this.#stream({ type: 'text', text: piece })
    this.#assertWhole(piece)
    const events = piece.parts.flatMap((part) => this.#append(part))
    return piece.metadata ? [...events, { type: 'metadata', metadata: piece.metadata }] : events
  }

  #append(part: Part): PartialEvent[] {
    if (part.type === 'text' || part.type === 'reasoning') return this.#stream(part)
    if (part.type === 'tool-call' && typeof part.input === 'string') return this.#call(part)
    return [...this.close(), ...eventsOf({ role: 'assistant', parts: [part] })]
  }

  /** A piece with facts of the provider is the last one of its part, which then has them. */
  #stream({ type, text, ...facts }: Streamed): PartialEvent[] {
    const isLast = Object.keys(facts).length > 0
    if (text === '' && !isLast) return []
    const before = this.#open?.type === type ? [] : this.#begin(type)
    const id = this.#open?.id ?? ''
    const delta: PartialEvent[] = text === '' ? [] : [{ type: `${type}-delta`, id, delta: text }]
    return [...before, ...delta, ...(isLast ? this.#endOpen(facts) : [])]
  }

  #begin(type: Streamed['type']): PartialEvent[] {
    const closing = this.close()
    this.#open = { type, id: this.#newId() }
    return [...closing, { type: `${type}-start`, id: this.#open.id }]
  }

  /** A piece of the arguments of a call, which are JSON. */
  #call({ callId: id, name, input, type: _, ...facts }: Call): PartialEvent[] {
    const text = String(input)
    const known = this.#calls.get(id)
    const before: PartialEvent[] =
      known === undefined ? [...this.#endOpen(), { type: 'tool-call-start', id, name }] : []
    this.#calls.set(id, (known ?? '') + text)
    const delta: PartialEvent[] = text === '' ? [] : [{ type: 'tool-call-delta', id, delta: text }]
    const isLast = Object.keys(facts).length > 0
    return [...before, ...delta, ...(isLast ? this.#endCall(id, facts) : [])]
  }

  #newId(): string {
    return `piece-${++this.#count}`
  }

  #assertWhole(message: Message): void {
    if (isMessage(message) && message.role === 'assistant') return
    throw new HostError(
      'EVENTS_INVALID',
      `Provider "${this.#provider.name}" gave an object with "parts" that is no message of the assistant. Give events, texts, or messages {"role": "assistant", "parts": […]}.`,
      {
        plugin: this.#provider.name,
        hook: this.#yieldsEvents ? 'stream' : 'processChunk',
        phase: 'partials',
      },
    )
  }
}

/** Runs for each chunk, so it is a loop. */
function hasPiece(chunks: List): boolean {
  for (let at = 0; at < chunks.length; at++) if (isPiece(chunks[at])) return true
  return false
}

function addsPart(chunk: unknown): boolean {
  return isObject(chunk) && ADDING.has(chunk['type'])
}

/** Events have a type and no parts. */
function isPiece(chunk: unknown): chunk is Piece {
  if (typeof chunk === 'string') return true
  return isObject(chunk) && chunk['type'] === undefined && Array.isArray(chunk['parts'])
}
