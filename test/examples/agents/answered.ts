import type { ApprovalVerdict, PendingApproval, RunResult } from '../../../src/agent/index.ts'
import type { Message, RunEvent } from '../../../src/plugin/events/index.ts'
import type { Example, Ran } from './example.ts'

/** What a person says to an approval or a question. */
export type Said =
  | { readonly value: unknown }
  | { readonly approved: boolean; readonly reason?: string }

export interface Answered extends Ran {
  /** What was asked, in order. */
  readonly asked: readonly PendingApproval[]
}

/** A run whose questions and approvals a person answers, each time in a further leg, until nothing is open. */
export async function answered(
  example: Example,
  text: string,
  answer: (approval: PendingApproval, at: number) => Said | Promise<Said>,
): Promise<Answered> {
  const asked: PendingApproval[] = []
  const events: RunEvent[] = []
  let messages: readonly Message[] = [{ role: 'user', parts: [{ type: 'text', text }] }]
  let ran = await example.stream({ messages })
  const made: Message[] = []
  for (;;) {
    events.push(...ran.events)
    made.push(...ran.result.messages)
    const { suspension } = ran.result
    if (!suspension) break
    const { approvals } = suspension
    const verdicts: ApprovalVerdict[] = []
    for (const approval of approvals) {
      const said = await answer(approval, asked.length + verdicts.length)
      verdicts.push({ approvalId: approval.approvalId, approved: true, ...said })
    }
    asked.push(...approvals)
    messages = [...messages, ...ran.result.messages]
    ran = await example.stream({ messages, resume: { ...suspension, verdicts } })
  }
  const result: RunResult = { ...ran.result, messages: made }
  return { events, result, asked }
}
