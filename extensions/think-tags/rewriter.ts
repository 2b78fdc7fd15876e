import type { PartialEvent } from '@braidwork/plugin'
import { OpenText, type TextBound, type TextDelta } from './open-text.ts'
import type { ThinkTags } from './settings.ts'

type Events = readonly PartialEvent[]

/** Rewrites the events of one answer. */
export class Rewriter {
  readonly #settings: ThinkTags
  /** Open texts. A text becomes an `OpenText` at its first delta. */
  readonly #texts = new Map<string, OpenText | TextBound>()
  #startsOpen: boolean

  constructor(settings: ThinkTags) {
    this.#settings = settings
    this.#startsOpen = settings.starts_open
  }

  /** Rewrites a list of events. Returns the same list if it contains no text events. */
  rewrite(events: Events): Events {
    if (!this.#isConcerned(events)) return events
    const out: PartialEvent[] = []
    for (const event of events) this.#add(event, out)
    return out
  }

  /** Releases held text when a stream ends early. */
  release(): Events {
    const out: PartialEvent[] = []
    for (const text of this.#texts.values()) if (text instanceof OpenText) text.release(out)
    this.#texts.clear()
    return out
  }

  #isConcerned(events: Events): boolean {
    for (const event of events) {
      if (event.type === 'text-delta' || event.type === 'text-start') return true
      if (this.#texts.size > 0 && (event.type === 'text-end' || opensPart(event))) return true
    }
    return false
  }

  #add(event: PartialEvent, out: PartialEvent[]): void {
    if (event.type === 'text-delta') {
      this.#addDelta(event as TextDelta, out)
    } else if (event.type === 'text-end') {
      this.#textOf(event.id)?.end(event, out)
      this.#texts.delete(event.id)
    } else {
      if (opensPart(event)) {
        for (const id of this.#texts.keys()) this.#textOf(id)?.keepPlace(out)
      }
      if (event.type === 'text-start') this.#texts.set(event.id, event)
      else out.push(event)
    }
  }

  #addDelta(delta: TextDelta, out: PartialEvent[]): void {
    if (delta.delta === '') return
    this.#textOf(delta.id, this.#startsOpen)?.add(delta, out)
    // Only the first non-empty text may begin inside a tag.
    this.#startsOpen = false
  }

  #textOf(id: string, startsOpen = false): OpenText | undefined {
    const known = this.#texts.get(id)
    if (known === undefined || known instanceof OpenText) return known
    const text = new OpenText(known, { ...this.#settings, starts_open: startsOpen })
    this.#texts.set(id, text)
    return text
  }
}

function opensPart({ type }: PartialEvent): boolean {
  return type !== 'metadata' && !type.endsWith('-delta') && !type.endsWith('-end')
}
