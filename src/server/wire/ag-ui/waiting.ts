import type { RunEvent } from '@braidwork/plugin'
import { custom } from './events.ts'
import { interruptOf } from './interrupts.ts'

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

/** A call of the client's tools that has no result yet. */
export interface PendingCall {
  readonly callId: string
  readonly name: string
  readonly input: unknown
}

/** What a run waits for when it ends: the answers of people, and the client's results of its calls. */
export class Waiting {
  readonly #clientTools: ReadonlySet<string>
  /** Approvals without an answer, by id. */
  readonly #asked = new Map<string, Of<'approval-required'>>()
  readonly #calls: Map<string, PendingCall>

  constructor(clientTools: ReadonlySet<string>, pending: readonly PendingCall[]) {
    this.#clientTools = clientTools
    this.#calls = new Map(pending.map((call) => [call.callId, call]))
  }

  ask(event: Of<'approval-required'>): void {
    this.#asked.set(event.approvalId, event)
  }

  resolve({ approvalId }: Of<'approval-resolved'>): void {
    this.#asked.delete(approvalId)
  }

  start({ id: callId, name }: Of<'tool-call-start'>): void {
    if (this.#clientTools.has(name)) this.#calls.set(callId, { callId, name, input: {} })
  }

  end({ id, input, providerExecuted }: Of<'tool-call-end'>): void {
    const call = this.#calls.get(id)
    if (providerExecuted) this.#calls.delete(id)
    else if (call) this.#calls.set(id, { ...call, input })
  }

  answer(callId: string): void {
    this.#calls.delete(callId)
  }

  /** Tells of each call that the client may run now, as TanStack AI expects it. Other clients ignore the event. */
  calls(): string {
    if (this.#asked.size > 0) return ''
    const calls = [...this.#calls.values()].map(({ callId, name, input }) =>
      custom('tool-input-available', { toolCallId: callId, toolName: name, input }),
    )
    return calls.join('')
  }

  /**
   * The outcome of a run that ends well. Clients before version 1.0 refuse `pendingToolCallIds`. If calls are open, they
   * get no outcome: to some, such as assistant-ui, a success has no open calls.
   */
  outcome(isBefore1: boolean): { readonly outcome?: object } {
    const interrupts = [...this.#asked.values()].map(interruptOf)
    if (interrupts.length > 0) return { outcome: { type: 'interrupt', interrupts } }
    const pendingToolCallIds = [...this.#calls.keys()]
    if (pendingToolCallIds.length === 0) return { outcome: { type: 'success' } }
    return isBefore1 ? {} : { outcome: { type: 'success', pendingToolCallIds } }
  }
}
