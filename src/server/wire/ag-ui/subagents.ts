import type { ChildProgress } from '@braidwork/agent/internal'
import { defined } from '../index.ts'
import { frameOf } from './events.ts'

const NOT_ANSWERED = 'The agent did not answer.'

interface EndedCall {
  readonly callId: string
  readonly result: { readonly isError?: boolean }
}

/**
 * The child runs of a run as subagents. Clients accept an end only after a start, a parent only after its start, and no
 * second start of a run that has ended in the same stream.
 */
export class Subagents {
  /** The calls of the run, by the child runs that work for them. */
  readonly #active = new Map<string, string>()
  readonly #ended = new Set<string>()

  /** Takes the progress of a child in. Returns what a client is told. */
  tell(callId: string, child: ChildProgress): string {
    const { runId, state, message = NOT_ANSWERED, code } = child
    const started = this.#start(callId, child)
    if (state === undefined || !this.#active.has(runId)) return started
    this.#end(runId)
    if (state === 'completed') return started + finished(runId, { type: 'success' })
    if (state === 'paused') return started + finished(runId, { type: 'suspended' })
    return (
      started +
      frameOf({ type: 'SUBAGENT_ERROR', subagentRunId: runId, message, ...defined({ code }) })
    )
  }

  /** Ends what is still open below a call that has ended, the deepest first. */
  close({ callId, result: { isError } }: EndedCall): string {
    return this.#closeAll((call) => call === callId, isError !== true)
  }

  /** Ends what is still open when the run ends. */
  end(): string {
    return this.#closeAll(() => true, false)
  }

  #closeAll(isMeant: (callId: string) => boolean, isDone: boolean): string {
    const open = [...this.#active].filter(([, callId]) => isMeant(callId)).reverse()
    return open
      .map(([runId]) => {
        this.#end(runId)
        return isDone
          ? finished(runId, { type: 'success' })
          : frameOf({ type: 'SUBAGENT_ERROR', subagentRunId: runId, message: NOT_ANSWERED })
      })
      .join('')
  }

  #start(callId: string, child: ChildProgress): string {
    const { runId, agent: name, depth, parentRunId } = child
    if (this.#active.has(runId) || this.#ended.has(runId)) return ''
    // What is told of an end alone has begun in an earlier stream.
    if (child.state !== undefined) return ''
    this.#active.set(runId, callId)
    const isKnown = this.#active.has(parentRunId) || this.#ended.has(parentRunId)
    return frameOf({
      type: 'SUBAGENT_STARTED',
      subagentRunId: runId,
      name,
      ...(depth === 1 ? { parentToolCallId: callId } : {}),
      ...(isKnown ? { parentSubagentRunId: parentRunId } : {}),
    })
  }

  #end(runId: string): void {
    this.#active.delete(runId)
    this.#ended.add(runId)
  }
}

function finished(subagentRunId: string, outcome: object): string {
  return frameOf({ type: 'SUBAGENT_FINISHED', subagentRunId, outcome })
}
