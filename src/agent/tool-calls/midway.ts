import type { CallOutcome, OpenedConfig } from '@braidwork/core/internal'
import { isObject, type JsonObject, type ToolCallPart } from '@braidwork/plugin'
import { answerFault, questionFault } from '../questions.ts'
import { applyAnswer, type WaitedCall } from './phases.ts'
import { isQuestion } from './question-calls.ts'
import { moved, type ToolCall } from './tool-call.ts'

/** A call that has begun and waits for a person. Undefined if its outcome asks nothing that can be asked. CT-31 */
export async function askedMidway(
  call: ToolCall,
  { question }: CallOutcome,
  canAsk: boolean,
): Promise<ToolCall | undefined> {
  if (!question || !canAsk || (await questionFault(question)) !== undefined) return undefined
  return moved(call, 'awaiting_approval', { asked: question })
}

/** The question of a call that had begun, with the arguments of the call. */
type MidwayPart = ToolCallPart & { readonly input: JsonObject }

/** Whether a person answered a question in the middle of a call, and not one that is the call. */
export function isMidway(
  { answered: { part, approval } }: WaitedCall,
  opened: OpenedConfig,
): boolean {
  const isOwn = isQuestion(opened.toolNamed(part.name))
  return approval.isQuestion === true && !isOwn && isObject(part.input) && 'arguments' in part.input
}

/** A call that goes on with the answer of a person. An answer that does not fit counts as declined. */
export async function answeredMidway(waited: WaitedCall, opened: OpenedConfig): Promise<ToolCall> {
  const { answered } = waited
  const { approved, value } = answered
  const call = applyAnswer({ ...waited, answered: { ...answered, approved: true } }, opened)
  const part = answered.part as MidwayPart
  const isDeclined = !approved || (await answerFault(part.input, value)) !== undefined
  const own = { ...call, part: { ...part, input: part.input['arguments'] } }
  return { ...own, answer: isDeclined ? {} : { value } }
}
