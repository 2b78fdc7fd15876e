import { HostError, type Message } from '@braidwork/plugin'
import { openCalls } from './settle-calls.ts'

/** A call that waits for a person. */
interface WaitingCall {
  readonly callId: string
  readonly name: string
}

/**
 * Finds a call that a history does not wait for: it is not in it, has a result, or something was said after it. Returns
 * undefined if the history can go on with the results of all the calls.
 */
export function callPassedBy<C extends Pick<WaitingCall, 'callId'>>(
  messages: readonly Message[],
  calls: readonly C[],
): C | undefined {
  const end = messages.findLastIndex(({ role }) => role !== 'tool') + 1
  const begin = messages.slice(0, end).findLastIndex(({ role }) => role !== 'assistant') + 1
  const open = new Set(openCalls(messages.slice(begin)).map(({ callId }) => callId))
  return calls.find(({ callId }) => !open.has(callId))
}

/**
 * Checks before any call of a resumed run runs that its result will have a place.
 * @throws {HostError} MESSAGES_INVALID
 */
export function assertWaitFor(messages: readonly Message[], calls: readonly WaitingCall[]): void {
  const passed = callPassedBy(messages, calls)
  if (!passed) return
  const { callId, name } = passed
  throw new HostError(
    'MESSAGES_INVALID',
    `The messages do not end with the call "${callId}" of "${name}", which waits for an answer. Give what the run was asked, and the messages of its result.`,
    { pointer: '/messages' },
  )
}
