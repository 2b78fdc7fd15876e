import type { CallOutcome, OfferedTool, ToolExecution } from '@braidwork/core/internal'
import { addUsage, type Usage } from '@braidwork/plugin'
import { isInterruption } from '../interruption.ts'
import type { RunAnswer } from '../run-answer.ts'
import type { RunRecord } from '../run-record.ts'
import type { ProgressCounter, Stopped } from '../stop/index.ts'
import type { RunPlace } from '../storage/index.ts'
import type { AgentCall, Delegate } from './child.ts'
import type { ChildOptions } from './child-options.ts'
import { cancelled } from './child-outcome.ts'
import type { Asking, ChildTool, PartCall } from './child-tool.ts'
import { type DelegateTool, delegateTool, delegateToolName } from './delegate-tool.ts'
import { KeptChildren, keyOf } from './kept-children.ts'
import { Lanes, Places } from './lanes.ts'
import type { LeftChild } from './left-child.ts'
import { type ChildProgress, endProgress } from './progress-of.ts'
import { refusal, tooMany, unknownTools } from './refusal.ts'
import { type ChildWork, runChild } from './run-child.ts'
import { laneAt } from './run-place.ts'
import { collected, SPAWN, spawnTool, tasksIn } from './spawn-tool.ts'
import { isAsItWaited, takenUp } from './taken-up.ts'
import { answeredChild, resumptionIn, type WaitingChild, waitingOutcome } from './waiting-child.ts'

/** The leg of a parent. */
interface RunningLeg {
  readonly progress: Pick<ProgressCounter, 'addUsage'>
  readonly spent: Stopped | undefined
  readonly opened: { readonly tools: readonly Pick<OfferedTool, 'name'>[] }
}

export interface ChildRunsParts {
  readonly options: ChildOptions
  readonly record: RunRecord
  /** Aborts when the parent is cancelled. */
  readonly signal: AbortSignal
  /** Counts a request of a child for the parent. AL-22 */
  readonly onAnswer: (answer: RunAnswer) => void
  /** The leg of the parent. Its conditions count what a child had used before it was taken up. AL-22 */
  readonly leg: () => RunningLeg | undefined
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
  readonly #tools: ReadonlyMap<string, ChildTool>
  readonly #kept: KeptChildren
  readonly #spent = new Map<string, Usage>()

  constructor(parts: ChildRunsParts) {
    const { delegates = [], childTools = [], parent, childLimits = {}, resume } = parts.options
    this.#parts = parts
    for (const { missing } of delegates) if (missing !== undefined) parts.record.warn(missing)
    const present = delegates.filter(({ missing }) => missing === undefined)
    this.#delegates = new Map(present.map((one) => [delegateToolName(one.id), one]))
    this.#lanes = parent?.lanes ?? new Lanes(undefined, childLimits.total)
    this.#atOnce = new Places(childLimits.at_once ?? MOST_AT_ONCE)
    this.#tools = new Map(childTools.map((one) => [one.tool.name, one]))
    this.#kept = new KeptChildren(resume?.kept?.children)
  }

  /** The tools by which the run asks its delegates and its team, and has subagents. AW-10 */
  get tools(): readonly DelegateTool[] {
    const { subagent } = this.#parts.options
    const spawning = subagent ? [spawnTool(subagent)] : []
    const teams = [...this.#tools.values()].map(({ tool }) => tool)
    return [...[...this.#delegates.values()].map(delegateTool), ...spawning, ...teams]
  }

  /** The children that wait for a person, as a further leg takes them. Undefined if there are none. AL-23 */
  get waiting(): object | undefined {
    return this.#kept.all
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
    const own = this.#tools.get(tool.ownName)
    if (own) return own.run(call, this.#asking(execution))
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

  #asking(execution: ToolExecution): Asking {
    return {
      signal: execution.signal ?? this.#parts.signal,
      ask: (delegate, call) => this.#ask(delegate, call, execution),
      isWaiting: (callId, part) => this.#kept.has(keyOf(callId, part)),
      takeEnded: (callId, part) => this.#kept.takeEnded(keyOf(callId, part)),
      keepEnded: (callId, part, outcome) => this.#kept.keepEnded(keyOf(callId, part), outcome),
    }
  }

  async #ask(
    delegate: Delegate,
    call: AgentCall | PartCall,
    execution: ToolExecution,
  ): Promise<CallOutcome> {
    const waited = this.#answered(call)
    if (waited && !resumptionIn(waited)) return this.#asks(call, waited)
    const place = this.#placeOf(delegate, call)
    const left = await this.#leftBy(delegate, place, waited)
    if (left && !(waited && isAsItWaited(left, waited))) this.#spend(call.callId, left.usage)
    const known = takenUp(left, { agent: delegate.id, call, waited })
    if (known && !('continued' in known)) {
      const end = 'outcome' in known ? known.outcome : known.waiting
      const runId = left?.runId ?? waited?.runId ?? ''
      this.#telling(execution)(endProgress(runId, place, end))
      return 'runId' in end ? this.#asks(call, end) : end
    }
    const refused = this.#refusal(delegate, place, call)
    if (refused) return refused
    return this.#run({ delegate, call, place, continued: known?.continued }, execution)
  }

  /** Why an agent is not asked. A subagent has the tools of its parent. The run of one that is asked counts. */
  #refusal(delegate: Delegate, place: RunPlace, call: AgentCall): CallOutcome | undefined {
    const isSubagent = delegate === this.#parts.options.subagent
    const { tools = [] } = this.#parts.leg()?.opened ?? {}
    const refused = refusal(place, call, isSubagent)
    const fault = refused ?? (isSubagent ? unknownTools(delegate.id, call, tools) : undefined)
    return fault || this.#lanes.begin() ? fault : tooMany(delegate.id, this.#lanes.most)
  }

  async #run(
    work: Pick<ChildWork, 'delegate' | 'call' | 'place' | 'continued'>,
    execution: ToolExecution,
  ): Promise<CallOutcome> {
    const { options } = this.#parts
    const { signal = this.#parts.signal } = execution
    const { parent } = options
    const onProgress = this.#telling(execution)
    const { callId } = work.call
    const onAnswer = (answer: RunAnswer) => this.#count(callId, answer)
    const onSpent = (usage: Usage) => this.#spend(callId, usage)
    const shared = { options, lanes: this.#lanes, atOnce: this.#atOnce }
    const spent = () => this.#parts.leg()?.spent
    const run = () => runChild({ ...work, ...shared, signal, onAnswer, onSpent, spent, onProgress })
    try {
      const ended = await (parent ? parent.lanePlace.without(run) : run())
      return 'runId' in ended ? this.#asks(work.call, ended) : ended
    } catch (error) {
      if (signal.aborted) return cancelled()
      throw error
    }
  }

  /** Tells what a child does, here and in the runs above. */
  #telling({ onProgress }: ToolExecution): (progress: ChildProgress) => void {
    const { parent } = this.#parts.options
    return (progress) => {
      onProgress?.(progress)
      parent?.onProgress(progress)
    }
  }

  /** The child of a call that an earlier process began. Only a run that was interrupted can have one. */
  async #leftBy(
    { left }: Delegate,
    place: RunPlace,
    waited: WaitingChild | undefined,
  ): Promise<LeftChild | undefined> {
    const { resume } = this.#parts.options
    if (!resume || !isInterruption(resume)) return undefined
    return left?.(place, waited && resumptionIn(waited))
  }

  #count(callId: string, answer: RunAnswer): void {
    this.#add(callId, answer.result.usage)
    this.#parts.onAnswer(answer)
  }

  /** Counts what a child used in a process that has ended, up to the root. */
  #spend(callId: string, usage: Usage): void {
    this.#add(callId, usage)
    this.#parts.leg()?.progress.addUsage({ usage }, {})
    this.#parts.options.parent?.onSpent(usage)
  }

  #add(callId: string, usage: Usage): void {
    this.#spent.set(callId, addUsage(this.#spent.get(callId) ?? {}, usage))
    this.#parts.record.addUsage(usage)
  }

  /** The child that waited for the answer with which a call goes on. The answer may be for another part of the call. */
  #answered(call: AgentCall | PartCall): WaitingChild | undefined {
    const child = this.#kept.take(keyIn(call))
    if (child && call.answer) return answeredChild(child, call.answer)
    return 'part' in call ? child : undefined
  }

  /** Keeps a child that waits for a person, if there is one to ask. AL-23 */
  #asks(call: AgentCall | PartCall, child: WaitingChild): CallOutcome {
    if (call.canAsk !== false) this.#kept.keep(keyIn(call), child)
    return waitingOutcome(child)
  }

  #placeOf({ id: agent }: Delegate, { callId, task }: AgentCall): RunPlace {
    const { options, record } = this.#parts
    const { parent } = options
    const { above = [], depth = 0, rootRunId = record.runId } = parent?.place ?? {}
    const own = options.agent ? [options.agent.id] : []
    return {
      parentRunId: record.runId,
      parentCallId: callId,
      parentStep: record.steps,
      ...(task === undefined ? {} : { task }),
      rootRunId,
      depth: depth + 1,
      lane: laneAt(depth + 1),
      agent,
      above: [...above, ...own],
    }
  }
}

function keyIn(call: AgentCall | PartCall): string {
  return keyOf(call.callId, 'part' in call ? call.part : undefined)
}
