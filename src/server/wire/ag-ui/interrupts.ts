import { answerSchemaOf } from '@braidwork/agent'
import type { RunEvent } from '@braidwork/plugin'
import { defined } from '../index.ts'

type Required = Pick<
  Extract<RunEvent, { type: 'approval-required' }>,
  'approvalId' | 'callId' | 'name' | 'input' | 'expiresAt' | 'isQuestion'
>

/** The JSON Schema of a person's answer, which the client sends as the payload of a resume. */
const ANSWER = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
}

/** A question: a resume with the status `cancelled` declines to answer it. */
function questionOf(input: unknown): object {
  const { question } = Object(input) as { readonly question?: unknown }
  return {
    reason: 'input_required',
    message: String(question ?? ''),
    responseSchema: {
      type: 'object',
      properties: { answer: answerSchemaOf(input) },
      required: ['answer'],
    },
  }
}

/** An approval. TanStack AI shows the call that its metadata describes. */
function approvalOf({ name: toolName, input }: Required): object {
  return {
    reason: 'tool_call',
    message: `May "${toolName}" be run?`,
    responseSchema: ANSWER,
    metadata: { kind: 'approval', toolName, input },
  }
}

/** An interrupt for a call that waits for a person. */
export function interruptOf(asked: Required): object {
  const { approvalId, callId, expiresAt } = asked
  const what = asked.isQuestion ? questionOf(asked.input) : approvalOf(asked)
  return {
    id: approvalId,
    ...what,
    toolCallId: callId,
    ...defined({ expiresAt }),
  }
}
