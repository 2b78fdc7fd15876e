import type { RunEvent } from '@braidwork/plugin'

/** How often a client is told that the answer grows, in milliseconds. */
const PAUSE = 1000
const LONGEST = 500

/** What a client is told about how far a run is. */
export interface McpProgress {
  /** Grows with each message about a run. */
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Tells from the events of a run how far it is. */
export class McpProgressView {
  #told = -Infinity
  #characters = 0

  /** Takes an event in. Returns what the client is told, if anything. */
  add(event: RunEvent): McpProgress | undefined {
    const message = this.#messageOf(event)
    return message === undefined ? undefined : { progress: event.seq + 1, message }
  }

  #messageOf(event: RunEvent): string | undefined {
    switch (event.type) {
      case 'step-start':
        this.#characters = 0
        return `Step ${event.step}`
      case 'tool-execution-start':
        return `The agent calls "${event.name}"`
      case 'tool-execution-progress':
        return shownProgress(event.progress)
      case 'text-delta':
        return this.#grow(event.delta, event.at ?? 0)
      default:
        return undefined
    }
  }

  #grow(delta: string, at: number): string | undefined {
    this.#characters += delta.length
    if (at - this.#told < PAUSE) return undefined
    this.#told = at
    return `The agent writes: ${this.#characters} characters`
  }
}

/** What a tool reports, as a text that is not too long. */
export function shownProgress(progress: unknown): string {
  const text = typeof progress === 'string' ? progress : (JSON.stringify(progress) ?? '')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
