import { GrowingText, type SegmentEvent } from '@braidwork/plugin'
import { defined, sseData } from '../index.ts'
import { frameOf, metadataOf } from './chunks.ts'
import { isMalformed, MALFORMED } from './ui-parts.ts'

type Kind = 'text' | 'reasoning' | 'tool-call'
type Delta = Extract<SegmentEvent, { readonly delta: string }>
/** What begins a part or ends it. */
type Edge = Exclude<SegmentEvent, Delta>
type CallStart = Extract<SegmentEvent, { type: 'tool-call-start' }>

interface OpenPart {
  readonly start: Edge
  /** JSON of a delta of it, up to what the delta says; none as long as the client has not been told of it. */
  head: string | undefined
  chunkId: string
  /** What the arguments of a call came to so far. */
  readonly text?: GrowingText
}

/** A call whose arguments are there. */
interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly providerExecuted?: boolean
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

/** The parts of a step that come in pieces: text, reasoning, calls. */
export class OpenParts {
  readonly #clientTools: ReadonlySet<string>
  readonly #sdk: number
  readonly #open = new Map<string, OpenPart>()
  /** The part that the last delta went to: the next nearly always goes there too. */
  #recent:
    | { readonly type: string; readonly id: string; readonly part: OpenPart; readonly head: string }
    | undefined
  #step = 0
  #count = { text: 0, reasoning: 0 }

  constructor(clientTools: ReadonlySet<string>, sdk: number) {
    this.#clientTools = clientTools
    this.#sdk = sdk
  }

  /** Forgets what is open; ids count anew. */
  beginStep(step: number): void {
    this.#open.clear()
    this.#recent = undefined
    this.#step = step
    this.#count = { text: 0, reasoning: 0 }
  }

  start(event: Edge): string {
    const key = `${kindOf(event.type)}:${event.id}`
    const before = this.#closeOne(key)
    const part: OpenPart =
      event.type === 'tool-call-start'
        ? { start: event, head: undefined, chunkId: event.id, text: new GrowingText() }
        : { start: event, head: undefined, chunkId: '' }
    this.#open.set(key, part)
    // A text that nothing is written into is no part of the message, and is not shown.
    return event.type === 'text-start' ? before : before + this.#show(part)
  }

  grow({ type, id, delta }: Delta): string {
    if (delta === '') return ''
    const recent = this.#recent
    if (recent?.type === type && recent.id === id) {
      recent.part.text?.add(delta)
      return sseData(`${recent.head}${JSON.stringify(delta)}}`)
    }
    const kind = kindOf(type)
    const part = this.#open.get(`${kind}:${id}`)
    if (part === undefined) return this.#growUnknown(kind, { type, id, delta })
    const shown = part.head === undefined ? this.#show(part) : ''
    this.#recent = { type, id, part, head: part.head ?? '' }
    return shown + this.grow({ type, id, delta })
  }

  end(event: Edge): string {
    const key = `${kindOf(event.type)}:${event.id}`
    const part = this.#open.get(key)
    if (part === undefined) return ''
    this.#open.delete(key)
    this.#recent = undefined
    return event.type === 'tool-call-end'
      ? this.available({ ...(part.start as CallStart), ...event })
      : this.#endText(part, event)
  }

  /** Ends all that is open, in the order in which it began. */
  close(): string {
    let frames = ''
    for (const key of this.#open.keys()) frames += this.#closeOne(key)
    return frames
  }

  /** Ends a call that something is told of, though its end was not. */
  closeCall(callId: string): string {
    return this.#closeOne(`tool-call:${callId}`)
  }

  /** A call with all its arguments. */
  available(call: Call): string {
    const { id: toolCallId, name: toolName, input = null } = call
    const said = { toolCallId, toolName, input, ...this.#facts(call) }
    const metadata = metadataOf(call)
    const available = { type: 'tool-input-available', ...said, ...metadata }
    if (!isMalformed(call)) return frameOf(available)
    // Clients take what is said of an error for what is said of a result; but their own tools must not run.
    const isKept = 'dynamic' in said && metadata.providerMetadata !== undefined
    const error = frameOf({ type: 'tool-input-error', ...said, errorText: MALFORMED })
    return isKept ? frameOf(available) + error : error
  }

  #show(part: OpenPart): string {
    const { start } = part
    if (start.type === 'tool-call-start') {
      const { id: toolCallId, name: toolName } = start
      part.head = headOf({ type: 'tool-input-delta', toolCallId }, 'inputTextDelta')
      const metadata = this.#sdk > 5 ? metadataOf(start) : {}
      return frameOf({
        type: 'tool-input-start',
        toolCallId,
        toolName,
        ...this.#facts(start),
        ...metadata,
      })
    }
    const kind = start.type === 'text-start' ? 'text' : 'reasoning'
    const id = `${kind}-${this.#step}.${++this.#count[kind]}`
    part.chunkId = id
    part.head = headOf({ type: `${kind}-delta`, id }, 'delta')
    return frameOf({ type: start.type, id, ...metadataOf(start) })
  }

  #endText(part: OpenPart, event: Pick<Edge, 'type' | 'providerMetadata'>): string {
    const metadata = metadataOf(event)
    if (part.head === undefined) {
      if (!metadata.providerMetadata && !metadataOf(part.start).providerMetadata) return ''
      return this.#show(part) + this.#endText(part, event)
    }
    return frameOf({ type: event.type, id: part.chunkId, ...metadata })
  }

  #closeOne(key: string): string {
    const part = this.#open.get(key)
    if (part === undefined) return ''
    const { type, id } = part.start
    if (type === 'tool-call-start') {
      return this.end({ type: 'tool-call-end', id, input: part.text?.toString() ?? '' })
    }
    return this.end({ type: type === 'text-start' ? 'text-end' : 'reasoning-end', id })
  }

  /** Nothing that was said is kept back because its beginning is missing, but for a call without a name. */
  #growUnknown(kind: Kind, event: Delta): string {
    if (kind === 'tool-call') return ''
    return this.start({ type: `${kind}-start`, id: event.id }) + this.grow(event)
  }

  #facts({ name, providerExecuted }: Pick<Call, 'name' | 'providerExecuted'>) {
    const isClients = this.#clientTools.has(name) && !providerExecuted
    return { ...defined({ providerExecuted }), ...(isClients ? {} : { dynamic: true as const }) }
  }
}

function kindOf(type: SegmentEvent['type']): Kind {
  return type.slice(0, type.lastIndexOf('-')) as Kind
}

/** JSON of an object, open for one more member. */
function headOf(chunk: object, member: string): string {
  return `${JSON.stringify(chunk).slice(0, -1)},"${member}":`
}
