import { failure, type OfferedTool, type OpenedConfig } from '@braidwork/core/internal'
import type { AnsweredCall } from '../approvals.ts'
import { answerFault } from '../questions.ts'
import type { HookScope } from './hooks.ts'
import { ended, moved, type ToolCall } from './tool-call.ts'

const NOBODY = 'Nobody can be asked here.'
const ADVICE = 'Decide without asking, say what you assumed, and do not ask again.'

/** Whether the calls of a tool are questions to a person. CT-31 */
export function isQuestion(tool: OfferedTool | undefined): boolean {
  return tool?.schema.safety?.asks_user === true
}

/** A question that waits for its answer; where nobody can be asked, the model is told so. */
export function askedQuestion(call: ToolCall, { canAsk = true, execution }: HookScope): ToolCall {
  if (canAsk) return moved(call, 'awaiting_approval')
  execution.warn?.(`The model asked a question with "${call.part.name}", but nobody can be asked.`)
  return ended(call, failure('policy_blocked', `${NOBODY} ${ADVICE}`, { advice: ADVICE }))
}

/** A question with its answer as the result. Not to answer is a result too. */
export async function answeredQuestion(
  { part, approved, reason, value }: AnsweredCall,
  opened: OpenedConfig,
): Promise<ToolCall> {
  const tool = opened.toolNamed(part.name)
  const call: ToolCall = { part, state: 'awaiting_approval', ...(tool ? { tool } : {}) }
  if (!approved) return unanswered(call, reason ?? 'The person declined to answer it.')
  const fault = await answerFault(part.input, value)
  if (fault !== undefined) return unanswered(call, `What the person said does not fit: ${fault}`)
  return ended(call, { state: 'succeeded', output: { answer: value } })
}

function unanswered(call: ToolCall, why: string): ToolCall {
  const advice = 'Go on without the answer, and say what you assumed.'
  return ended(
    call,
    failure('approval_rejected', `The question was not answered. ${why}`, { advice }),
  )
}
