import { hostCalls } from '@braidwork/core/internal'
import type { Message, ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import type { PendingApproval } from './approvals.ts'

/** What of a call counts here. */
type Call = Pick<ToolCallPart, 'callId' | 'name' | 'input'>

/** What the messages of a run tell of the step whose calls waited for a person. */
export interface WaitedStep {
  /** Absent if the messages have no answer with these calls. */
  readonly answer?: readonly Message[]
  /** All calls of the answer, as the model wrote them. */
  readonly calls: readonly Call[]
  /** The results that calls of the answer had before. */
  readonly results: readonly ToolResultPart[]
}

/**
 * Finds the step whose calls waited for a person. Other calls of the step may have had their results before.
 * @param messages the history, which ends with the step
 */
export function waitedStep(
  messages: readonly Message[],
  waited: readonly PendingApproval[],
): WaitedStep {
  const ids = new Set(waited.map(({ callId }) => callId))
  const isAsking = (message: Message) => hostCalls([message]).some(({ callId }) => ids.has(callId))
  // A model may use the id of a call again in a later step.
  const asking = messages.findLastIndex(isAsking)
  if (asking === -1) return { calls: waited, results: [] }
  const isOther = ({ role }: Message) => role !== 'assistant'
  const begin = messages.slice(0, asking).findLastIndex(isOther) + 1
  const after = messages.slice(asking).findIndex(isOther)
  const end = after === -1 ? messages.length : asking + after
  const answer = messages.slice(begin, end)
  const results = messages.slice(end).flatMap(({ parts }) => parts.filter(isResult))
  return { answer, calls: hostCalls(answer), results }
}

/** The results of calls, in the order of the calls. Of two results of a call, the last one counts. */
export function inOrderOf(
  calls: readonly Call[],
  results: readonly ToolResultPart[],
): readonly ToolResultPart[] {
  const byId = new Map(results.map((result) => [result.callId, result]))
  return calls.flatMap(({ callId }) => byId.get(callId) ?? [])
}

function isResult(part: Message['parts'][number]): part is ToolResultPart {
  return part.type === 'tool-result'
}
