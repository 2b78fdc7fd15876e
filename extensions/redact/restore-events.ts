import type { PartialEvent } from '@braidwork/plugin'
import { mapJson, mapPart } from './map-texts.ts'
import type { Table } from './table.ts'
import { inJson, type Written } from './written.ts'

type DeltaEvent = Extract<PartialEvent, { readonly delta: string }>
type CallEnd = Extract<PartialEvent, { readonly type: 'tool-call-end' }>

/**
 * Restores the values in the events of one answer. The end of a delta is held back if it may be the beginning of a
 * placeholder, until the next delta or the end of the part.
 */
export class EventRestorer {
  readonly #table: Table
  readonly #written: Written
  /** Held text, by kind and id of the part. */
  readonly #held = new Map<string, string>()

  /** @param written how a value is spelled in the answer's text */
  constructor(table: Table, written: Written) {
    this.#table = table
    this.#written = written
  }

  restore(events: readonly PartialEvent[]): readonly PartialEvent[] {
    if (this.#table.isEmpty) return events
    return events.flatMap((event) => this.#restoreOne(event))
  }

  /** Releases all held text of parts that will not continue. */
  release(): readonly PartialEvent[] {
    return [...this.#held.keys()].flatMap((key) => {
      const [kind = '', ...id] = key.split(' ')
      return this.#release(`${kind}-end`, id.join(' '))
    })
  }

  #restoreOne(event: PartialEvent): readonly PartialEvent[] {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        return this.#restoreDelta(event)
      case 'text-end':
      case 'reasoning-end':
        return [...this.#release(event.type, event.id), event]
      case 'tool-call-end':
        return [...this.#release(event.type, event.id), this.#restoreCall(event)]
      case 'tool-result':
      case 'file':
      case 'source':
      case 'data':
        return [mapPart(event, (text) => this.#table.restore(text))]
      default:
        return [event]
    }
  }

  #restoreDelta(event: DeltaEvent): readonly PartialEvent[] {
    const { type, id } = event
    const key = `${kindOf(type)} ${id}`
    const text = `${this.#held.get(key) ?? ''}${event.delta}`
    const end = this.#table.holdFrom(text)
    if (end === text.length) this.#held.delete(key)
    else this.#held.set(key, text.slice(end))
    if (end === 0 && text !== '') return []
    // Deltas of arguments are JSON text; the input in the end event is parsed.
    const written = type === 'tool-call-delta' ? inJson : this.#writtenIn(type)
    return [{ type, id, delta: this.#table.restore(text.slice(0, end), written) }]
  }

  #writtenIn(type: DeltaEvent['type']): Written | undefined {
    return type === 'text-delta' ? this.#written : undefined
  }

  #restoreCall(event: CallEnd): PartialEvent {
    const input = mapJson(event.input, (text) => this.#table.restore(text))
    return input === event.input ? event : { ...event, input }
  }

  /** Releases held text that turned out not to be a placeholder. */
  #release(type: string, id: string): readonly PartialEvent[] {
    const kind = kindOf(type)
    const delta = this.#held.get(`${kind} ${id}`)
    this.#held.delete(`${kind} ${id}`)
    return delta === undefined ? [] : [{ type: `${kind}-delta`, id, delta }]
  }
}

function kindOf(type: string): 'text' | 'reasoning' | 'tool-call' {
  return type.slice(0, type.lastIndexOf('-')) as 'text' | 'reasoning' | 'tool-call'
}
