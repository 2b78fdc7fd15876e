import { canonical } from '@braidwork/core/internal'
import { HostError, type Message } from '@braidwork/plugin'
import type { PendingApproval } from './approvals.ts'
import { openCalls } from './settle-calls.ts'

/**
 * Finds a call that a history does not wait for: it is not in it, has a result, or something was said after it. Returns
 * undefined if the history can go on with the results of all the calls.
 */
export function callPassedBy<C extends { readonly callId: string }>(
  messages: readonly Message[],
  calls: readonly C[],
): C | undefined {
  const end = messages.findLastIndex(({ role }) => role !== 'tool') + 1
  const begin = messages.slice(0, end).findLastIndex(({ role }) => role !== 'assistant') + 1
  const open = new Set(openCalls(messages.slice(begin)).map(({ callId }) => callId))
  return calls.find(({ callId }) => !open.has(callId))
}

/**
 * Checks before any call of a resumed run runs that its result will have a place, and that the history shows the call
 * that was approved.
 * @throws {HostError} MESSAGES_INVALID
 */
export function assertWaitFor(
  messages: readonly Message[],
  calls: readonly PendingApproval[],
): void {
  const passed = callPassedBy(messages, calls)
  if (!passed) {
    for (const call of calls) assertShown(messages, call)
    return
  }
  const { callId, name } = passed
  throw new HostError(
    'MESSAGES_INVALID',
    `The messages do not end with the call "${callId}" of "${name}", which waits for an answer. Give what the run was asked, and the messages of its result.`,
    { pointer: '/messages' },
  )
}

/**
 * The arguments of a question are those of the asked person, and a feature may have changed those of another call; the
 * history has what the model wrote.
 */
function assertShown(messages: readonly Message[], approval: PendingApproval): void {
  const { callId, name, input, isQuestion, hooks = [] } = approval
  if (isQuestion || hooks.some((record) => 'input' in record)) return
  const shown = openCalls(messages).findLast((call) => call.callId === callId)
  if (!shown || canonical(shown.input) === canonical(input)) return
  throw new HostError(
    'MESSAGES_INVALID',
    `The call "${callId}" of "${name}" has other arguments in the messages than in its approval. An approval covers the call as the model wrote it; its arguments cannot be edited.`,
    { pointer: '/messages' },
  )
}
