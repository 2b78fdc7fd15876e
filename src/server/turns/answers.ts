import type { Approval } from '@braidwork/agent'
import { HostError, isObject, type Message, type ToolResultPart } from '@braidwork/plugin'
import type { ApprovalAnswer } from '../wire/index.ts'

/** The answers to open questions that a client sends as the results of their calls. CT-31 */
export function answersIn(
  messages: readonly Message[],
  approvals: readonly Approval[],
): readonly ApprovalAnswer[] {
  const open = approvals.filter(({ isQuestion, answer }) => isQuestion && !answer)
  if (open.length === 0) return []
  const results = new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [[part.callId, part] as const] : [])),
    ),
  )
  return open.flatMap(({ id, callId }) => {
    const result = results.get(callId)
    return result ? [answerOf(id, result)] : []
  })
}

/**
 * Refuses a request that only answers, where a run waits and none of the answers is for one of its approvals. A client
 * that sends its history has answers to those of earlier runs too.
 * @throws {HostError} APPROVAL_UNKNOWN
 */
export function assertKnown(
  [first, ...more]: readonly ApprovalAnswer[],
  approvals: readonly Approval[],
): void {
  const open = approvals.filter(({ answer }) => !answer).map(({ id }) => id)
  if (!first || open.length === 0) return
  if ([first, ...more].some(({ approvalId }) => approvals.some(({ id }) => id === approvalId)))
    return
  const waiting = open.map((id) => `"${id}"`).join(', ')
  const message = `The run has no approval "${first.approvalId.slice(0, 100)}". It waits for ${waiting}.`
  throw new HostError('APPROVAL_UNKNOWN', message)
}

function answerOf(approvalId: string, { output, isError }: ToolResultPart): ApprovalAnswer {
  if (!isError) return { approvalId, approved: true, value: answerIn(output) }
  const reason = typeof output === 'string' ? { reason: output } : {}
  return { approvalId, approved: false, ...reason }
}

/** The answer itself: the output of the call, or what it has under `answer`. */
function answerIn(output: unknown): unknown {
  return isObject(output) && Object.keys(output).join() === 'answer' ? output['answer'] : output
}
