import { type CallOutcome, failure } from '@braidwork/core/internal'
import type { RunEvent, RunEventBody, ToolCallPart, ToolSafety } from '@braidwork/plugin'
import { openCalls } from '../settle-calls.ts'
import type { RunStatus } from '../storage/index.ts'
import { endEventOf, unknownOutcome } from '../tool-calls/index.ts'
import { messagesOf } from './ending.ts'

/** How a run ended whose process did not end it, or whose work could not begin. */
export type LeftStatus = Extract<RunStatus, 'aborted' | 'interrupted' | 'failed'>

const VERBS: { readonly [status in LeftStatus]: string } = {
  aborted: 'was stopped',
  interrupted: 'was interrupted',
  failed: 'failed',
}

/** A call that began: it may have had effects. */
interface Begun {
  readonly part: ToolCallPart
  readonly safety: ToolSafety
}

/**
 * The ends of the calls of a leg whose process has gone, as far as the stored events tell: a call that began has an
 * unknown outcome, unless its tool only reads. LT-10. The calls of an answer that was cut off are left out: they have
 * not begun, and no event can follow them in their place.
 * @param waited - the calls whose approvals the leg resumed
 */
export function endsOfLeftCalls(
  events: readonly RunEvent[],
  status: LeftStatus,
  waited: readonly ToolCallPart[],
): readonly RunEventBody[] {
  const answered = events.findLastIndex(({ type }) => type === 'step-finish') + 1
  // Of the last step only: a model may use the id of a call again in a later step.
  const since = events.slice(answered)
  const begun = begunCalls(since)
  const done = new Set(since.flatMap((event) => endedCall(event) ?? []))
  const parts = [
    ...openCalls(messagesOf(events.slice(0, answered))),
    // They ended before the leg's first answer.
    ...(answered === 0 ? waited : []),
    ...[...begun.values()].map(({ part }) => part),
  ]
  const open = new Map(parts.map((part) => [part.callId, part]))
  return [...open.values()]
    .filter(({ callId }) => !done.has(callId))
    .map((part) => endEventOf(part, outcomeOf(begun.get(part.callId), VERBS[status])))
}

/** The calls that began, by call id. */
export function begunCalls(events: readonly RunEvent[]): ReadonlyMap<string, Begun> {
  const begun = new Map<string, Begun>()
  for (const event of events) {
    if (event.type !== 'tool-execution-start') continue
    const { callId, name, input, safety = {} } = event
    begun.set(callId, { part: { type: 'tool-call', callId, name, input }, safety })
  }
  return begun
}

function endedCall(event: RunEvent): string | undefined {
  return event.type === 'tool-execution-end' ? event.callId : undefined
}

function outcomeOf(begun: Begun | undefined, verb: string): CallOutcome {
  if (!begun) return failure('canceled', `The run ${verb} before the call ran.`)
  if (begun.safety.is_read_only === true) {
    return failure('canceled', `The run ${verb} while the call ran.`)
  }
  return unknownOutcome(verb)
}
