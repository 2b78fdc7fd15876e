import type { RunEvent } from '@braidwork/plugin'

/**
 * Holds the events of a step back, from its first text on, until it is clear whether the step is the last one. The texts
 * of other steps are left out, with their sources.
 */
export class HeldStep {
  #events: RunEvent[] = []

  /** Returns the events that can be shown now. */
  add(event: RunEvent): readonly RunEvent[] {
    if (event.type === 'step-start') return [...this.take().filter((one) => !isText(one)), event]
    if (event.type === 'step-reset') {
      this.#events = []
      return [event]
    }
    if (this.#events.length === 0 && !isText(event)) return [event]
    this.#events.push(event)
    return []
  }

  /** Returns the events of the last step, once the run has ended. */
  take(): readonly RunEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}

function isText({ type }: RunEvent): boolean {
  return type.startsWith('text-') || type === 'source'
}
