import type { CallOutcome, OfferedTool, ToolExecution } from '@braidwork/core/internal'
import { addUsage, type Usage } from '@braidwork/plugin'
import type { RunAnswer } from '../run-answer.ts'
import type { RunRecord } from '../run-record.ts'
import type { RunPlace } from '../storage/index.ts'
import type { AgentCall, ChildOptions, Delegate } from './child.ts'
import { cancelled } from './child-outcome.ts'
import { type DelegateTool, delegateTool, delegateToolName } from './delegate-tool.ts'
import { Lanes, Places } from './lanes.ts'
import { refusal } from './refusal.ts'
import { runChild } from './run-child.ts'
import { laneAt } from './run-place.ts'
import { collected, SPAWN, SPAWN_TOOL, tasksIn } from './spawn-tool.ts'
import { answeredChild, resumptionIn, type WaitingChild, waitingOutcome } from './waiting-child.ts'

export interface ChildRunsParts {
  readonly options: ChildOptions
  readonly record: RunRecord
  /** Aborts when the parent is cancelled. */
  readonly signal: AbortSignal
  /** Counts a request of a child for the parent. AL-22 */
  readonly onAnswer: (answer: RunAnswer) => void
}

const MOST_AT_ONCE = 5

/**
 * The child runs of a run. A child is a run like any other, for which the parent waits as it waits for a tool. What
 * becomes of it is the outcome of the call: nothing that a child does ends its parent. AL-06
 */
export class ChildRuns {
  readonly #parts: ChildRunsParts
  readonly #delegates: ReadonlyMap<string, Delegate>
  readonly #lanes: Lanes
  readonly #atOnce: Places
  /** By the calls that wait for them. */
  readonly #waiting: Map<string, WaitingChild>
  readonly #spent = new Map<string, Usage>()

  constructor(parts: ChildRunsParts) {
    const { delegates = [], parent, childLimits = {}, resume } = parts.options
    this.#parts = parts
    for (const { missing } of delegates) if (missing !== undefined) parts.record.warn(missing)
    const present = delegates.filter(({ missing }) => missing === undefined)
    this.#delegates = new Map(present.map((one) => [delegateToolName(one.id), one]))
    this.#lanes = parent?.lanes ?? new Lanes()
    this.#atOnce = new Places(childLimits.at_once ?? MOST_AT_ONCE)
    // A run keeps what `waiting` gave out.
    const kept = Object.entries(resume?.kept?.children ?? {}) as [string, WaitingChild][]
    this.#waiting = new Map(kept)
  }

  /** The tools by which the run asks its delegates, and has subagents. AW-10 */
  get tools(): readonly DelegateTool[] {
    const spawning = this.#parts.options.subagent ? [SPAWN_TOOL] : []
    return [...[...this.#delegates.values()].map(delegateTool), ...spawning]
  }

  /** The children that wait for a person, by the calls that wait for them. Undefined if there are none. AL-23 */
  get waiting(): { readonly [callId: string]: WaitingChild } | undefined {
    return this.#waiting.size > 0 ? Object.fromEntries(this.#waiting) : undefined
  }

  /** What the child of a call has used in this leg, with its own children. Undefined if the call has no child. AL-22 */
  spentBy(callId: string): Usage | undefined {
    return this.#spent.get(callId)
  }

  /** Runs a call whose tool asks an agent. Undefined for the call of any other tool. */
  attempt(
    call: AgentCall,
    tool: OfferedTool,
    execution: ToolExecution,
  ): Promise<CallOutcome> | undefined {
    if (tool.owner !== 'subagent') return undefined
    const { subagent } = this.#parts.options
    if (subagent && tool.ownName === SPAWN) return this.#spawn(subagent, call, execution)
    const delegate = this.#delegates.get(tool.ownName)
    return delegate && this.#ask(delegate, call, execution)
  }

  /** Has a subagent for each task of a call. AL-20 */
  async #spawn(
    subagent: Delegate,
    call: AgentCall,
    execution: ToolExecution,
  ): Promise<CallOutcome> {
    const { signal = this.#parts.signal } = execution
    const asked = tasksIn(call).map((task) => this.#ask(subagent, task, execution))
    const outcomes = await Promise.all(asked)
    return signal.aborted ? cancelled() : collected(outcomes)
  }

  async #ask(delegate: Delegate, call: AgentCall, execution: ToolExecution): Promise<CallOutcome> {
    const { parent } = this.#parts.options
    const { signal = this.#parts.signal } = execution
    const waited = this.#answered(call)
    if (waited && !resumptionIn(waited)) return this.#asks(call, waited)
    const place = this.#placeOf(delegate, call)
    const refused = refusal(place, call, delegate === this.#parts.options.subagent)
    if (refused) return refused
    const work = () =>
      runChild({
        delegate,
        call,
        place,
        waited,
        signal,
        options: this.#parts.options,
        lanes: this.#lanes,
        atOnce: this.#atOnce,
        onAnswer: (answer) => this.#count(call.callId, answer),
        onProgress: execution.onProgress ?? (() => undefined),
      })
    try {
      const ended = await (parent ? parent.lanePlace.without(work) : work())
      return 'runId' in ended ? this.#asks(call, ended) : ended
    } catch (error) {
      if (signal.aborted) return cancelled()
      throw error
    }
  }

  #count(callId: string, answer: RunAnswer): void {
    const { record, onAnswer } = this.#parts
    const { usage } = answer.result
    this.#spent.set(callId, addUsage(this.#spent.get(callId) ?? {}, usage))
    record.addUsage(usage)
    onAnswer(answer)
  }

  /** The child that waited for the answer with which a call goes on. */
  #answered({ callId, answer }: AgentCall): WaitingChild | undefined {
    const child = this.#waiting.get(callId)
    this.#waiting.delete(callId)
    return child && answer ? answeredChild(child, answer) : undefined
  }

  /** Keeps a child that waits for a person, if there is one to ask. AL-23 */
  #asks({ callId, canAsk }: AgentCall, child: WaitingChild): CallOutcome {
    if (canAsk !== false) this.#waiting.set(callId, child)
    return waitingOutcome(child)
  }

  #placeOf({ id: agent }: Delegate, { callId }: AgentCall): RunPlace {
    const { options, record } = this.#parts
    const { parent } = options
    const { above = [], depth = 0, rootRunId = record.runId } = parent?.place ?? {}
    const own = options.agent ? [options.agent.id] : []
    return {
      parentRunId: record.runId,
      parentCallId: callId,
      rootRunId,
      depth: depth + 1,
      lane: laneAt(depth + 1),
      agent,
      above: [...above, ...own],
    }
  }
}
