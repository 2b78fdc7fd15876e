import { answerSchemaOf } from '@braidwork/agent'
import { isObject } from '@braidwork/plugin'
import { defined } from '../index.ts'
import type { AskedApproval } from './ui-parts.ts'

/**
 * The arguments of a call that asks in the middle. Undefined for a call that itself is the question: its arguments are
 * what the client shows.
 */
export function argumentsOfAsking({ input, isQuestion }: AskedApproval): unknown {
  return isQuestion && isObject(input) ? input['arguments'] : undefined
}

/** The data part of a question in the middle of a call. The last one of a call is open until the call has an output. */
export function questionPart(asked: AskedApproval): object {
  const { approvalId, callId: toolCallId, name: toolName, input, expiresAt } = asked
  const { question, call } = Object(input) as {
    readonly question?: unknown
    readonly call?: unknown
  }
  const schema = answerSchemaOf(input)
  const what = { question: String(question ?? ''), schema, ...defined({ call }) }
  const data = { approvalId, toolCallId, toolName, ...what, ...defined({ expiresAt }) }
  return { type: 'data-question', id: approvalId, data }
}
