import type { PartialEvent } from '@braidwork/plugin'
import { cutText } from './pieces.ts'
import type { Smoothing } from './settings.ts'

type Events = readonly PartialEvent[]

interface Delta {
  readonly type: 'text-delta' | 'reasoning-delta'
  readonly id: string
  readonly delta: string
}

/** Cuts the texts of one answer into words or lines. It holds back at most one piece. */
export class Smoother {
  readonly #smoothing: Smoothing
  #held: Delta | undefined

  constructor(smoothing: Smoothing) {
    this.#smoothing = smoothing
  }

  /** Cuts the texts in a list of events. Returns the same list if there is nothing to cut. */
  smooth(events: Events): Events {
    if (this.#held === undefined && !events.some(this.#isCut)) return events
    const out: PartialEvent[] = []
    for (const event of events) {
      if (this.#isCut(event)) {
        this.#cut(event, out)
      } else {
        // Release held text before any other event, to keep the order.
        this.#letGo(out)
        out.push(event)
      }
    }
    return out
  }

  /** Releases the held text when a stream ends early. */
  release(): Events {
    if (this.#held === undefined) return []
    const out: PartialEvent[] = []
    this.#letGo(out)
    return out
  }

  readonly #isCut = (event: PartialEvent): event is Delta =>
    event.type === 'text-delta' || (event.type === 'reasoning-delta' && this.#smoothing.reasoning)

  #cut(event: Delta, out: PartialEvent[]): void {
    const { type, id } = event
    if (this.#held && (this.#held.id !== id || this.#held.type !== type)) this.#letGo(out)
    const { pieces, rest } = cutText(this.#held?.delta ?? '', event.delta, this.#smoothing.by)
    for (const delta of pieces) out.push(delta === event.delta ? event : { type, id, delta })
    this.#held = rest === '' ? undefined : { type, id, delta: rest }
  }

  #letGo(out: PartialEvent[]): void {
    if (this.#held) out.push(this.#held)
    this.#held = undefined
  }
}
