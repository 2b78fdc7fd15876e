import {
  addUsage,
  type CompactionEvent,
  type ContextItem,
  type FinalCallState,
  type FinishReason,
  type InventoryTool,
  type ModelChosenEvent,
  type ModelFailedEvent,
  type RunEvent,
  type Termination,
  type ToolCallError,
  type ToolHookRecord,
  type ToolPolicyDecision,
  type Usage,
} from '@braidwork/plugin'
import type { StoredRun } from '../storage/index.ts'
import { usageOf } from './interruptions.ts'

/** A call of a run, as its events tell it. */
export interface ExplainedCall {
  readonly callId: string
  readonly name: string
  readonly input?: unknown
  readonly policy?: ToolPolicyDecision
  /** What features did to the call. */
  readonly hooks: readonly ToolHookRecord[]
  /** The answer of a person; `waiting` until there is one. */
  readonly approval?: 'waiting' | 'approved' | 'refused'
  readonly state?: FinalCallState
  readonly error?: ToolCallError
  /** What its child run used, or the requests of its tool, in all legs. */
  readonly usage?: Usage
}

/** A step of a run. */
export interface ExplainedStep {
  readonly step: number
  readonly usage: Usage
  readonly finishReason?: FinishReason
  /** What plugins put into the last request of the step, and what they left out. LR-06 */
  readonly context: readonly ContextItem[]
  readonly calls: readonly ExplainedCall[]
}

/** Why a run did what it did. */
export interface RunExplanation {
  readonly run: Pick<StoredRun, 'id' | 'conversationId' | 'status' | 'startedAt' | 'endedAt'>
  readonly agent?: string
  /** Which model the run asked, and why not others: the last is the present one. LR-09, LR-10 */
  readonly models: readonly Omit<ModelChosenEvent, 'type'>[]
  readonly failures: readonly Omit<ModelFailedEvent, 'type'>[]
  /** The tools of the last leg: those that the model was offered, and those that it was not, with the reason. LT-08 */
  readonly tools: readonly InventoryTool[]
  readonly steps: readonly ExplainedStep[]
  /** The tokens of all steps together, with those of child runs, of summaries and of answers that were discarded. */
  readonly usage: Usage
  readonly termination?: Termination
  readonly error?: { readonly code: string; readonly message: string }
  /** What became of compactions of the conversation after this run: one without an end was interrupted. LR-07 */
  readonly compactions: readonly (CompactionStart & Pick<CompactionEnd, 'done' | 'error'>)[]
}

type CompactionStart = Omit<Extract<CompactionEvent, { readonly type: 'compaction-start' }>, 'type'>
type CompactionEnd = Extract<CompactionEvent, { readonly type: 'compaction-end' }>

type Changed<T> = { -readonly [K in keyof T]: T[K] }

/** Explains a run from its stored events alone. LR-18 */
export function explainRun(run: StoredRun, events: readonly RunEvent[]): RunExplanation {
  const reading = new Reading()
  for (const event of events) reading.add(event)
  const { id, conversationId, status, startedAt, endedAt, order } = run
  const agent = order['agent'] ?? order['model']
  return {
    run: {
      id,
      status,
      startedAt,
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(endedAt === undefined ? {} : { endedAt }),
    },
    ...(typeof agent === 'string' ? { agent } : {}),
    ...reading.told(),
  }
}

/** What was read of the events so far. */
class Reading {
  readonly #models: ModelChosenEvent[] = []
  readonly #failures: ModelFailedEvent[] = []
  readonly #steps: (Changed<Omit<ExplainedStep, 'calls'>> & { calls: ExplainedCall[] })[] = []
  readonly #calls = new Map<string, Changed<ExplainedCall>>()
  readonly #compactions = new Map<string, Changed<RunExplanation['compactions'][number]>>()
  #tools: readonly InventoryTool[] = []
  /** What the events of the present leg tell. */
  #usage: Usage = {}
  /** What the legs before it used. Their ends also count children that wait, whose calls have no end yet. AL-22 */
  #before: Usage = {}
  /** What calls that wait used in the legs before it. */
  readonly #usedBefore = new Map<string, Usage>()
  #end: Pick<RunExplanation, 'termination' | 'error'> = {}

  add(event: RunEvent): void {
    this.#usage = addUsage(this.#usage, usageOf(event) ?? {})
    switch (event.type) {
      case 'tool-inventory':
        this.#tools = event.tools
        break
      case 'model-chosen':
        this.#models.push(event)
        break
      case 'model-failed':
        this.#failures.push(event)
        break
      case 'step-start':
        this.#steps.push({ step: event.step, usage: {}, context: [], calls: [] })
        break
      case 'context-resolved':
        Object.assign(this.#steps.at(-1) ?? {}, { context: event.items })
        break
      case 'step-finish':
        this.#finishStep(event)
        break
      default:
        this.#addRest(event)
    }
  }

  told(): Omit<RunExplanation, 'run' | 'agent'> {
    return {
      models: this.#models,
      failures: this.#failures,
      tools: this.#tools,
      compactions: [...this.#compactions.values()],
      steps: this.#steps,
      usage: addUsage(this.#before, this.#usage),
      ...this.#end,
    }
  }

  #finishStep({ usage, finishReason }: Extract<RunEvent, { readonly type: 'step-finish' }>): void {
    const step = this.#steps.at(-1)
    if (step) Object.assign(step, { usage, finishReason })
  }

  #addRest(event: RunEvent): void {
    switch (event.type) {
      case 'tool-execution-start': {
        const { callId, name, input, policy, hooks = [] } = event
        const call = this.#callOf(callId, name)
        Object.assign(
          call,
          { name, input, hooks: [...call.hooks, ...hooks] },
          policy ? { policy } : {},
        )
        break
      }
      case 'tool-execution-end': {
        const { callId, result, state, error, usage, hooks = [] } = event
        const call = this.#callOf(callId, result.name)
        call.hooks = [...call.hooks, ...hooks]
        Object.assign(call, state && { state }, error && { error }, this.#usedBy(callId, usage))
        break
      }
      case 'approval-required': {
        const { callId, name, input, usage, hooks = [] } = event
        const asked = { name, input, hooks, approval: 'waiting', ...this.#usedBy(callId, usage) }
        Object.assign(this.#callOf(callId, name), asked)
        break
      }
      case 'approval-resolved':
        this.#callOf(event.callId, '').approval = event.approved ? 'approved' : 'refused'
        break
      default:
        this.#addCompaction(event)
        this.#addEnding(event)
    }
  }

  #addCompaction(event: RunEvent): void {
    if (event.type === 'compaction-start') {
      const { compactionId, trigger } = event
      this.#compactions.set(compactionId, { compactionId, trigger })
    }
    if (event.type !== 'compaction-end') return
    const { compactionId, done, error } = event
    const known = this.#compactions.get(compactionId)
    if (known) Object.assign(known, done ? { done } : {}, error ? { error } : {})
  }

  #addEnding(event: RunEvent): void {
    if (event.type === 'finish') {
      this.#before = addUsage(this.#before, event.usage)
      this.#usage = {}
      for (const [id, { usage }] of this.#calls) if (usage) this.#usedBefore.set(id, usage)
      if (event.termination) this.#end = { termination: event.termination }
    }
    if (event.type === 'abort') this.#end = { termination: { reason: 'cancelled' } }
    if (event.type !== 'error') return
    const { code, message } = event.error
    this.#end = { termination: { reason: 'error' }, error: { code, message } }
  }

  /** What a call has used so far. @param usage what it used in the present leg */
  #usedBy(callId: string, usage: Usage | undefined): Pick<ExplainedCall, 'usage'> {
    const before = this.#usedBefore.get(callId)
    return before || usage ? { usage: addUsage(before ?? {}, usage ?? {}) } : {}
  }

  /** The call with an id. A call that was not known belongs to the present step. */
  #callOf(callId: string, name: string): Changed<ExplainedCall> {
    const known = this.#calls.get(callId)
    if (known) return known
    const call: Changed<ExplainedCall> = { callId, name, hooks: [] }
    this.#calls.set(callId, call)
    this.#steps.at(-1)?.calls.push(call)
    return call
  }
}
