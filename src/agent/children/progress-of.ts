import { type RunEvent, textOf } from '@braidwork/plugin'
import type { RunPlace } from '../storage/index.ts'
import { preview } from './preview.ts'

/** What a child does, as its parent tells it as the progress of the call. */
export interface ChildProgress extends Pick<RunPlace, 'agent' | 'depth' | 'lane'> {
  readonly runId: string
  /** The step that the child has begun or finished. */
  readonly step?: number
  /** The tool that the child calls. */
  readonly tool?: string
  /** The beginning of what the child has said in the step. */
  readonly preview?: string
}

/** What an event of a child tells of its progress. Undefined for most events. */
export function progressOf(event: RunEvent, place: RunPlace): ChildProgress | undefined {
  const { agent, depth, lane } = place
  const child = { runId: event.runId, agent, depth, lane }
  switch (event.type) {
    case 'start':
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
