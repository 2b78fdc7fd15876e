import type { HookScope } from './hooks.ts'
import { answeredMidway, isMidway } from './midway.ts'
import { applyAnswer, judgeAgain, type WaitedCall } from './phases.ts'
import { answeredQuestion } from './question-calls.ts'
import type { ToolCall } from './tool-call.ts'

/** A call of a suspended run with a person's answer: it runs, goes on, or ends. */
export async function answeredCall(waited: WaitedCall, hooks: HookScope): Promise<ToolCall> {
  const { opened } = hooks
  const { answered } = waited
  if (isMidway(waited, opened)) return answeredMidway(waited, opened)
  if (answered.approval.isQuestion) return answeredQuestion(answered, opened)
  return judgeAgain(applyAnswer(waited, opened), hooks)
}
