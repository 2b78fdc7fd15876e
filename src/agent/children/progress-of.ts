import type { CallOutcome } from '@braidwork/core/internal'
import { isObject, type RunEvent, textOf } from '@braidwork/plugin'
import type { RunPlace } from '../storage/index.ts'
import { preview } from './preview.ts'
import type { WaitingChild } from './waiting-child.ts'

/** What a child does, as the runs above tell it as the progress of the call. */
export interface ChildProgress
  extends Pick<RunPlace, 'agent' | 'depth' | 'lane' | 'parentRunId' | 'task'> {
  readonly runId: string
  /** The step that the child has begun or finished. */
  readonly step?: number
  /** The tool that the child calls. */
  readonly tool?: string
  /** The beginning of what the child has said in the step. */
  readonly preview?: string
  /** What became of the child: its last progress, or the last before it goes on with an answer. */
  readonly state?: 'completed' | 'failed' | 'cancelled' | 'paused'
  /** Why it did not answer. */
  readonly message?: string
  readonly code?: string
}

/** What an event of a child tells of its progress. Undefined for most events. */
export function progressOf(event: RunEvent, place: RunPlace): ChildProgress | undefined {
  const child = childAt(event.runId, place)
  switch (event.type) {
    case 'start':
    case 'run-resumed':
      return child
    case 'step-start':
      return { ...child, step: event.step }
    case 'tool-execution-start':
      return { ...child, tool: event.name }
    case 'step-finish': {
      const text = event.messages.map(textOf).join('')
      return text === '' ? undefined : { ...child, step: event.step, preview: preview(text) }
    }
    default:
      return undefined
  }
}

/** What became of a child, as its last progress. */
export function endProgress(
  runId: string,
  place: RunPlace,
  ended: CallOutcome | WaitingChild,
): ChildProgress {
  const child = childAt(runId, place)
  if ('runId' in ended) return { ...child, state: 'paused' }
  if (ended.state === 'succeeded') return { ...child, state: 'completed' }
  const { status, message, code } = isObject(ended.output) ? ended.output : {}
  const isCancelled = ended.state === 'canceled' || status === 'cancelled'
  return {
    ...child,
    state: isCancelled ? 'cancelled' : 'failed',
    ...(typeof message === 'string' ? { message: preview(message) } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  }
}

/** The progress of a child that an event tells. Undefined for any other event, also where a tool tells the like. */
export function childProgressIn(event: RunEvent): ChildProgress | undefined {
  if (event.type !== 'tool-execution-progress' || !event.isChild) return undefined
  return event.progress as ChildProgress
}

function childAt(
  runId: string,
  { agent, depth, lane, parentRunId, task }: RunPlace,
): ChildProgress {
  return { runId, agent, depth, lane, parentRunId, ...(task === undefined ? {} : { task }) }
}
