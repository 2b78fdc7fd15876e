import { GrowingText, type SegmentEvent } from '@braidwork/plugin'
import { defined, sseData } from '../index.ts'
import { frameOf, metadataOf } from './chunks.ts'
import { isMalformed, MALFORMED } from './ui-parts.ts'

type Kind = 'text' | 'reasoning' | 'tool-call'
type Delta = Extract<SegmentEvent, { readonly delta: string }>
/** An event that starts or ends a part. */
type Edge = Exclude<SegmentEvent, Delta>
type CallStart = Extract<SegmentEvent, { type: 'tool-call-start' }>

interface OpenPart {
  readonly start: Edge
  /** The JSON of a delta chunk up to the value of its delta. Undefined until the part's start has been sent. */
  head: string | undefined
  chunkId: string
  /** The arguments of a call so far. */
  readonly text?: GrowingText
}

/** A call with complete arguments. */
interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly providerExecuted?: boolean
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

/** The growing parts of a step: texts, reasoning and calls. */
export class OpenParts {
  readonly #clientTools: ReadonlySet<string>
  readonly #sdk: number
  readonly #open = new Map<string, OpenPart>()
  /** The part of the last delta. The next delta nearly always belongs to it too. */
  #recent:
    | { readonly type: string; readonly id: string; readonly part: OpenPart; readonly head: string }
    | undefined
  #step = 0
  #count = { text: 0, reasoning: 0 }

  constructor(clientTools: ReadonlySet<string>, sdk: number) {
    this.#clientTools = clientTools
    this.#sdk = sdk
  }

  /** Forgets all open parts and restarts the numbering of ids. */
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
    // An empty text is not a part of the message, so its start is sent with its first delta.
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

  /** Ends all open parts, in the order in which they started. */
  close(): string {
    let frames = ''
    for (const key of this.#open.keys()) frames += this.#closeOne(key)
    return frames
  }

  /** Ends a call whose end event is missing, because something else about it follows. */
  closeCall(callId: string): string {
    return this.#closeOne(`tool-call:${callId}`)
  }

  /** Sends a call with its complete arguments. */
  available(call: Call): string {
    const { id: toolCallId, name: toolName, input = null } = call
    const said = { toolCallId, toolName, input, ...this.#facts(call) }
    const metadata = metadataOf(call)
    const available = { type: 'tool-input-available', ...said, ...metadata }
    if (!isMalformed(call)) return frameOf(available)
    // Clients store the metadata of an error as that of the result, so a call with metadata is sent first. A call
    // of a client's own tool is not, since the client would execute it.
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

  /** Starts a part whose start is missing, so that no content is lost. A call without a name is dropped. */
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

/** Returns the JSON of an object with one more key at its end. The caller appends the value and the brace. */
function headOf(chunk: object, member: string): string {
  return `${JSON.stringify(chunk).slice(0, -1)},"${member}":`
}
