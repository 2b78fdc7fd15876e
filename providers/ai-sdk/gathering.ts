import { parseArguments, textIn } from '@braidwork/model-api/exchange'
import { GrowingText, isObject, type JsonObject, type PartialEvent } from '@braidwork/plugin'
import { type Around, metadataOf, partOf, toFacts } from './message.ts'
import { citedIn, type NativePart } from './parts.ts'

/** A text, a reasoning or a call whose pieces are still coming. */
interface Open {
  /** The id of its events. */
  readonly id: string
  readonly text: GrowingText
  readonly content: { [member: string]: unknown }
}

/** Gathers the parts of one stream: makes events of each, and of all of them the whole answer. */
export class Gathering {
  readonly #around: Around
  readonly #contents: { [member: string]: unknown }[] = []
  readonly #open = new Map<string, Open>()
  #about: JsonObject = {}
  #segments = 0

  constructor(around: Around) {
    this.#around = around
  }

  add(part: NativePart): readonly PartialEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        return this.#start(part)
      case 'text-delta':
      case 'reasoning-delta':
        return this.#delta(part)
      case 'text-end':
      case 'reasoning-end':
        return this.#end(part)
      case 'tool-input-start':
        return this.#startCall(part)
      case 'tool-input-delta':
        return this.#callDelta(part)
      case 'tool-call':
        return this.#endCall(part)
      case 'response-metadata':
        return this.#tellResponse(part)
      default:
        return this.#whole(part)
    }
  }

  /** The whole answer, with the end that its stream told, and the events that close what the stream left open. */
  finish({ type: _, ...ending }: NativePart): {
    events: readonly PartialEvent[]
    final: JsonObject
  } {
    const closed = [...this.#open.keys()].flatMap((key) => this.#close(key))
    const cited = citedIn(this.#contents).flatMap((source) => this.#whole(source))
    const final = { content: this.#contents, ...ending, response: this.#about }
    const about: PartialEvent = { type: 'metadata', metadata: metadataOf(final) }
    return { events: [...closed, ...cited, about], final }
  }

  #start(part: NativePart): readonly PartialEvent[] {
    const [type] = part.type.split('-', 1) as ['text' | 'reasoning']
    const id = String(this.#segments++)
    const open = this.#push(keyOf(part), { id, content: { type, text: '' } })
    noteMetadata(open, part)
    return [{ type: `${type}-start`, id }]
  }

  #delta(part: NativePart): readonly PartialEvent[] {
    const open = this.#open.get(keyOf(part))
    if (!open) return []
    const delta = textIn(part['delta']) ?? ''
    open.text.add(delta)
    noteMetadata(open, part)
    const type = open.content['type'] as 'text' | 'reasoning'
    return delta === '' ? [] : [{ type: `${type}-delta`, id: open.id, delta }]
  }

  #end(part: NativePart): readonly PartialEvent[] {
    const open = this.#open.get(keyOf(part))
    if (!open) return []
    noteMetadata(open, part)
    if (part['citations'] !== undefined) open.content['citations'] = part['citations']
    return this.#close(keyOf(part))
  }

  #startCall(part: NativePart): readonly PartialEvent[] {
    const { id: given, toolName, providerExecuted } = part
    const [id, name] = [String(given), String(toolName)]
    const content = { type: 'tool-call', toolCallId: id, toolName: name, input: '' }
    this.#push(callKey(id), {
      id,
      content: providerExecuted ? { ...content, providerExecuted } : content,
    })
    return [
      {
        type: 'tool-call-start',
        id,
        name,
        ...(providerExecuted ? { providerExecuted: true } : {}),
      },
    ]
  }

  #callDelta({ id, delta: given }: NativePart): readonly PartialEvent[] {
    const open = this.#open.get(callKey(String(id)))
    const delta = textIn(given) ?? ''
    if (!open || delta === '') return []
    open.text.add(delta)
    return [{ type: 'tool-call-delta', id: open.id, delta }]
  }

  /** The call is told whole after its pieces, or without any. */
  #endCall(part: NativePart): readonly PartialEvent[] {
    const { toolCallId, toolName, input } = part
    const key = callKey(String(toolCallId))
    const begun = this.#open.has(key)
      ? []
      : this.#startCall({ ...part, type: 'tool-input-start', id: toolCallId })
    const open = this.#open.get(key)
    if (!open) return begun
    const delta = textIn(input) ?? ''
    const told: PartialEvent[] =
      begun.length > 0 && delta !== '' ? [{ type: 'tool-call-delta', id: open.id, delta }] : []
    Object.assign(open.content, part, { toolName: toolName ?? open.content['toolName'] })
    return [...begun, ...told, ...this.#close(key, delta)]
  }

  #whole(part: NativePart): readonly PartialEvent[] {
    const made = partOf(part, this.#around)
    if (!made) return []
    this.#contents.push(part)
    return [made as PartialEvent]
  }

  #tellResponse({ type: _, ...response }: NativePart): readonly PartialEvent[] {
    this.#about = { ...this.#about, ...response }
    const metadata = metadataOf({ response: this.#about })
    return Object.keys(metadata).length > 0 ? [{ type: 'metadata', metadata }] : []
  }

  #push(key: string, { id, content }: Pick<Open, 'id' | 'content'>): Open {
    const open = { id, content, text: new GrowingText() }
    this.#open.set(key, open)
    this.#contents.push(content)
    return open
  }

  #close(key: string, input?: string): readonly PartialEvent[] {
    const open = this.#open.get(key)
    if (!open) return []
    this.#open.delete(key)
    const { id, text, content } = open
    if (content['type'] === 'tool-call') {
      content['input'] = input ?? text.toString()
      const executed = content['providerExecuted'] ? { providerExecuted: true } : {}
      const facts = toFacts(content, this.#around)
      return [
        {
          type: 'tool-call-end',
          id,
          input: parseArguments(String(content['input'])),
          ...executed,
          ...facts,
        },
      ]
    }
    content['text'] = text.toString()
    const type = content['type'] as 'text' | 'reasoning'
    return [{ type: `${type}-end`, id, ...toFacts(content, this.#around) }]
  }
}

/** A text and a reasoning may have the same id. */
function keyOf({ type, id }: NativePart): string {
  return `${type.split('-', 1)[0]} ${String(id)}`
}

function callKey(id: string): string {
  return `call ${id}`
}

/** The last metadata that any piece tells is that of the whole. */
function noteMetadata({ content }: Open, { providerMetadata }: NativePart): void {
  if (isObject(providerMetadata)) content['providerMetadata'] = providerMetadata
}
