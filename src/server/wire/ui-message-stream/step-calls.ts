import type { RunEvent } from '@braidwork/plugin'
import type { RunFacts } from '../index.ts'
import { frameOf } from './chunks.ts'
import { startMetadata } from './ui-parts.ts'

interface Call {
  readonly callId: string
  readonly providerExecuted?: boolean
}

/** The calls that the client of a message knows, and those of the last step that have no result yet. */
export class StepCalls {
  readonly #known = new Set<string>()
  readonly #ofStep = new Set<string>()
  readonly #open: Set<string>
  #hasResult = false

  /** @param pending the calls of an earlier part of the message that the client has to answer */
  constructor(pending: readonly string[]) {
    this.#open = new Set(pending)
  }

  has(callId: string): boolean {
    return this.#known.has(callId)
  }

  /** A call of the provider that has no result keeps no client from sending the message again. */
  know({ callId, providerExecuted }: Call): void {
    this.#known.add(callId)
    this.#ofStep.add(callId)
    if (!providerExecuted) this.#open.add(callId)
  }

  end({ callId, providerExecuted }: Call): void {
    this.#open.delete(callId)
    if (!providerExecuted) this.#hasResult = true
  }

  beginStep(): void {
    this.#ofStep.clear()
    this.#open.clear()
    this.#hasResult = false
  }

  /** Begins the step anew: the client forgets its calls. */
  reset(): void {
    for (const callId of this.#ofStep) this.#known.delete(callId)
    this.beginStep()
  }

  /**
   * An empty step for the end of a message whose last calls all have their results. Without it, a client with
   * `lastAssistantMessageIsCompleteWithToolCalls` sends the message again for ever.
   */
  after({ type }: Pick<RunEvent, 'type'>, facts: RunFacts): string {
    if (type === 'error' || !this.#hasResult || this.#open.size > 0) return ''
    const step = frameOf({ type: 'start-step' }) + frameOf({ type: 'finish-step' })
    if (type === 'finish') return step
    // A client shows a step with the next change of its message, and an abort is none.
    return step + frameOf({ type: 'message-metadata', messageMetadata: startMetadata(facts) })
  }
}
