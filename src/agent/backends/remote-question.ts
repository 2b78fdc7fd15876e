import type { Message } from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import type { AnsweredCall, PendingApproval } from '../approvals.ts'
import type { Environment } from '../environment.ts'

/** The question of a remote agent, as a child run waits for its answer: the last text that the agent has said. */
export function remoteQuestion(
  agent: string,
  answer: readonly Message[],
  environment: Pick<Environment, 'newId' | 'now'>,
): PendingApproval {
  const texts = answer.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  )
  const question = texts.findLast((text) => text.trim() !== '')
  return {
    approvalId: environment.newId('approval'),
    callId: environment.newId('call'),
    name: 'question',
    input: { question: question ?? `The agent "${agent}" waits for an answer.` },
    // The agent alone knows what its question is about.
    binding: '',
    expiresAt: environment.now() + limitsOf({}).approval * 1000,
    isQuestion: true,
  }
}

/** The message by which a remote agent is told the answer. */
export function answerTo(answered: readonly Pick<AnsweredCall, 'value'>[]): Message {
  const parts = answered.map(({ value }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return { type: 'text', text } as const
  })
  return { role: 'user', parts }
}
