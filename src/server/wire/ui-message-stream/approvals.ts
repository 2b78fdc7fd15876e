import type { RunEvent } from '@braidwork/plugin'
import { defined } from '../index.ts'
import { frameOf } from './chunks.ts'
import { approvalData } from './ui-parts.ts'

type Required = Extract<RunEvent, { type: 'approval-required' }>
type Resolved = Extract<RunEvent, { type: 'approval-resolved' }>

/** Writes approvals in the form that the client's SDK version expects: data parts before version 6. */
export class Approvals {
  readonly #sdk: number
  readonly #asked = new Map<string, Required>()
  readonly #denied = new Set<string>()

  constructor(sdk: number) {
    this.#sdk = sdk
  }

  ask(event: Required): string {
    const { approvalId, callId: toolCallId, isQuestion } = event
    // The client answers a question with the output of its call, as it answers a call of its own tools.
    if (isQuestion) return ''
    this.#asked.set(approvalId, event)
    return this.#sdk > 5
      ? frameOf({ type: 'tool-approval-request', approvalId, toolCallId })
      : frameOf({ type: 'data-approval', id: approvalId, data: approvalData(event) })
  }

  resolve({ approvalId, callId: toolCallId, approved, reason, isQuestion }: Resolved): string {
    if (isQuestion) return ''
    const asked = this.#asked.get(approvalId)
    const answer = { approved, ...defined({ reason }) }
    if (this.#sdk > 5) {
      if (!approved) this.#denied.add(toolCallId)
      // A client that has not seen the request fails on an answer to it.
      if (this.#sdk < 7 || !asked) return ''
      return frameOf({ type: 'tool-approval-response', approvalId, ...answer })
    }
    const known = asked ? approvalData(asked) : { approvalId, toolCallId }
    const data = { ...known, ...answer, state: 'resolved' }
    return frameOf({ type: 'data-approval', id: approvalId, data })
  }

  /** Whether a call was denied, so that its result is written as denied. */
  isDenied(callId: string): boolean {
    return this.#denied.has(callId)
  }
}
