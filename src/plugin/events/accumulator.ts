import type { PartialEvent, StreamEvent } from './events.ts'
import { GrowingText } from './growing-text.ts'
import { inputOf } from './json.ts'
import type { Message, MessageMetadata, Part, ToolCallPart, ToolResultPart } from './messages.ts'
import type { RunEvent, RunEventBody, RunEventPlace } from './run-events.ts'

type Open = Record<string, unknown>

/**
 * Builds messages from the events of a request or a run. Until a `finish` event, `messages()` returns the parts that
 * were gathered; the messages of `finish` replace them. The events must have passed the `EventChecker`.
 */
export class Accumulator {
  readonly #open = new Map<string, Open>()
  readonly #data = new Map<string, Open>()
  /** The part of the last delta, as a cache: the next delta nearly always belongs to the same part. */
  #recent: { readonly type: string; readonly id: string; readonly text: unknown } | undefined
  #parts: Open[] = []
  #metadata: MessageMetadata | undefined
  #finished: readonly Message[] | undefined
  /** Messages of the completed steps of the run. */
  #settled: Message[] = []
  #results: ToolResultPart[] = []

  add(event: StreamEvent | RunEventBody | RunEvent): void {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        this.#append(event)
        break
      case 'text-start':
      case 'reasoning-start':
      case 'tool-call-start':
        this.#start(event)
        break
      case 'text-end':
      case 'reasoning-end':
      case 'tool-call-end':
        this.#end(event)
        break
      case 'data':
        this.#addData(event)
        break
      case 'tool-result':
      case 'file':
      case 'source':
        this.#parts.push(partOf(event))
        break
      case 'metadata':
        this.#metadata = { ...this.#metadata, ...event.metadata }
        break
      case 'finish':
        this.#finished = event.messages
        break
      case 'step-start':
      case 'step-reset':
      case 'steering':
      case 'step-finish':
      case 'tool-execution-end':
        this.#addStep(event)
        break
      default:
        break
    }
  }

  /** The messages so far: those of `finish`, else the gathered ones. Empty if no event with content has arrived. */
  messages(): readonly Message[] {
    return this.#finished ?? [...this.#settled, ...this.#toolMessage(), ...this.#current()]
  }

  #addStep(
    event: RunEventBody & {
      type: 'step-start' | 'step-reset' | 'steering' | 'step-finish' | 'tool-execution-end'
    },
  ): void {
    if (event.type === 'tool-execution-end') {
      this.#results.push(event.result)
    } else if (event.type === 'step-reset') {
      this.#dropCurrent()
    } else if (event.type === 'steering') {
      this.#settled.push(event.message)
    } else if (event.type === 'step-start') {
      this.#settled.push(...this.#toolMessage())
      this.#results = []
    } else {
      for (const message of event.messages) this.#settled.push(message)
      this.#dropCurrent()
    }
  }

  #dropCurrent(): void {
    this.#parts = []
    this.#metadata = undefined
  }

  /** Tool results arrive in the order in which the calls finish; this puts them into the order of the calls. */
  #toolMessage(): Message[] {
    if (this.#results.length === 0) return []
    const places = new Map<string, number>()
    for (const { parts } of this.#settled) {
      for (const part of parts) if (isOfCall(part)) places.set(part.callId, places.size)
    }
    const at = ({ callId }: ToolResultPart) => places.get(callId) ?? -1
    return [{ role: 'tool', parts: [...this.#results].sort((left, right) => at(left) - at(right)) }]
  }

  /** The message that is still being streamed. */
  #current(): Message[] {
    const parts = this.#parts.map(toPart).filter((part) => !isEmpty(part))
    if (parts.length === 0 && this.#metadata === undefined) return []
    const message: Message = { role: 'assistant', parts }
    return [this.#metadata ? { ...message, metadata: this.#metadata } : message]
  }

  #start(event: StreamEvent & { id: string }): void {
    const kind = kindOf(event.type)
    const part: Open =
      event.type === 'tool-call-start'
        ? { type: kind, callId: event.id, name: event.name, text: new GrowingText() }
        : { type: kind, text: new GrowingText() }
    copyFacts(event, part)
    this.#open.set(`${kind}:${event.id}`, part)
    this.#recent = undefined
    this.#parts.push(part)
  }

  #append(event: StreamEvent & { id: string; delta: string }): void {
    const { type, id, delta } = event
    if (this.#recent?.id !== id || this.#recent.type !== type) {
      const part = this.#open.get(`${kindOf(type)}:${id}`)
      this.#recent = part && { type, id, text: part['text'] }
    }
    const text = this.#recent?.text
    if (text instanceof GrowingText) text.add(delta)
  }

  #end(event: StreamEvent & { id: string }): void {
    const key = `${kindOf(event.type)}:${event.id}`
    const part = this.#open.get(key)
    if (!part) return
    copyFacts(event, part)
    if (event.type === 'tool-call-end') part['input'] = event.input
    this.#open.delete(key)
    this.#recent = undefined
  }

  #addData(event: StreamEvent & { type: 'data' }): void {
    if (event.transient) return
    const { id, transient: _, ...part } = partOf(event)
    const earlier = id === undefined ? undefined : this.#data.get(id)
    if (earlier) {
      Object.assign(earlier, part)
      return
    }
    const open: Open = { ...part }
    this.#parts.push(open)
    if (id !== undefined) this.#data.set(id, open)
  }
}

/** Returns a part without what a run adds to its event, so that messages equal those of the request. */
function partOf<E extends PartialEvent>(event: E): Omit<E, keyof RunEventPlace> & Open {
  const { runId: _, seq: _seq, at: _at, ...part }: E & Partial<RunEventPlace> = event
  return part
}

function isOfCall(part: Part): part is ToolCallPart | ToolResultPart {
  return part.type === 'tool-call' || part.type === 'tool-result'
}

function kindOf(type: string): string {
  return type.slice(0, type.lastIndexOf('-'))
}

const FACTS = ['providerMetadata', 'providerExecuted'] as const

function copyFacts(event: object, part: Open): void {
  const facts = event as { readonly [F in (typeof FACTS)[number]]?: unknown }
  for (const fact of FACTS) if (facts[fact] !== undefined) part[fact] = facts[fact]
}

function toPart(open: Open): Part {
  const { text: gathered, ...call } = open
  if (!(gathered instanceof GrowingText)) return { ...open } as unknown as Part
  const text = gathered.toString()
  if (open['type'] !== 'tool-call') return { ...open, text } as unknown as Part
  return { ...call, input: 'input' in call ? call['input'] : inputOf(text) } as unknown as Part
}

/** Whether a part is a text part without text: the history leaves it out. */
function isEmpty(part: Part): boolean {
  return part.type === 'text' && part.text === '' && part.providerMetadata === undefined
}
