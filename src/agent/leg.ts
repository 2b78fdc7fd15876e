import type { OpenedConfig, Sink } from '@braidwork/core/internal'
import {
  type KeptState,
  type PartialEvent,
  type RunEventBody,
  type RunStateEvent,
  toMessages,
} from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import type { Suspension } from './approvals.ts'
import { assertSections } from './assert-run-options.ts'
import { type CompactedHistory, leftBy } from './compaction/index.ts'
import { systemEnvironment } from './environment.ts'
import { declarationsOf, Phases } from './phases/index.ts'
import { assertInScope, expiryFault } from './policy/index.ts'
import type { RunAnswer } from './run-answer.ts'
import { compactedBefore, type RunOptions } from './run-options.ts'
import type { RunRecord } from './run-record.ts'
import {
  ProgressCounter,
  StopCheck,
  type StopFacts,
  type Stopped,
  uncountedWarnings,
} from './stop/index.ts'
import type { CallRunner } from './tool-calls/index.ts'

export interface LegParts {
  readonly options: RunOptions
  readonly record: RunRecord
  readonly calls: Pick<CallRunner, 'emitOfTool' | 'waiting'>
  readonly signal: AbortSignal
  readonly sink: Sink<readonly RunEventBody[]>
}

/**
 * What the steps of a leg stand on: the config, opened once, and the places of the loop where features and limits act.
 */
export class Leg {
  /** The opened config of the present model. */
  opened: OpenedConfig
  readonly phases: Phases
  readonly progress: ProgressCounter
  readonly #parts: LegParts
  readonly #stops: StopCheck

  private constructor(
    parts: LegParts,
    {
      opened,
      phases,
      progress,
      stops,
    }: Pick<Leg, 'opened' | 'phases' | 'progress'> & { readonly stops: StopCheck },
  ) {
    this.#parts = parts
    this.opened = opened
    this.phases = phases
    this.progress = progress
    this.#stops = stops
  }

  /** @throws {HostError} ENVIRONMENT_BUILD, OPTION_INVALID, SCOPE_EXPIRED */
  static async open(opened: OpenedConfig, parts: LegParts): Promise<Leg> {
    const { options } = parts
    const { environment = systemEnvironment } = options
    assertInScope(options.identity, environment.now())
    await assertSections(options)
    const elapsed = () => environment.elapsed()
    const compares = options.stopConditions?.some(({ type }) => type === 'loop_detection')
    const progress = new ProgressCounter(elapsed, options.resume?.kept?.progress, compares ?? false)
    const phases = await phasesOf(opened, parts, progress)
    return new Leg(parts, { opened, phases, progress, stops: await stopsOf(opened, options) })
  }

  /** Counts a request to the model, and warns of budgets that cannot count it. */
  count({ result, model }: Pick<RunAnswer, 'result' | 'model'>): void {
    const { options, record } = this.#parts
    this.progress.addUsage(result, model.info)
    const warnings = uncountedWarnings(options.stopConditions ?? [], result, model.info)
    for (const warning of warnings) record.warn(warning)
  }

  /** The stop condition that ends the run after an answer. @param goesOn whether another step would follow */
  stopped(facts: Omit<StopFacts, 'progress' | 'steps'>, goesOn: boolean): Stopped | undefined {
    const { steps } = this.#parts.record
    return (
      (goesOn ? this.#mostSteps : undefined) ??
      this.#stops.hit({ ...facts, progress: this.progress.now, steps }, goesOn)
    )
  }

  /** Ends the run after a step whose calls waited for a person, if it was the last one. AW-66 */
  get stepLimit(): Stopped | undefined {
    const { options, record } = this.#parts
    // A run of a given call has no further step to stop.
    if (options.call) return undefined
    return this.#mostSteps ?? this.#stops.stepLimit(record.steps)
  }

  /** The rules of the run may have changed since it began. AL-16 */
  get #mostSteps(): Stopped | undefined {
    const { record, options } = this.#parts
    const { max_iterations: most = Infinity } = options.rules?.rules ?? {}
    if (record.steps < most) return undefined
    const detail = `The rules of the run allow at most ${most} steps.`
    return { reason: 'stopped', code: 'max_rounds', detail }
  }

  /** Ends the run before its next step, if its scope has expired, or a budget is used up. AL-07, AW-66 */
  get exhausted(): Stopped | undefined {
    const { environment = systemEnvironment, identity } = this.#parts.options
    const detail = expiryFault(identity, environment.now())
    return detail === undefined ? this.spent : { reason: 'stopped', code: 'scope_expired', detail }
  }

  /** The budget of the run, or of one above it, that is used up. What the runs below have used counts. */
  get spent(): Stopped | undefined {
    return this.#stops.spent(this.progress.now) ?? this.spentAbove
  }

  /** The budget of a run above this one that is used up. */
  get spentAbove(): Stopped | undefined {
    const above = this.#parts.options.parent?.spent()
    return above && { ...above, detail: above.detail.replace('The run', 'A run above') }
  }

  /** What a further leg needs. Absent for a run whose limits, features and children need nothing. */
  get kept(): KeptState | undefined {
    const { options, calls, record } = this.#parts
    const { waiting } = calls
    const hasLimits = (options.stopConditions ?? []).length > 0
    const asks = options.parent !== undefined && record.isWaiting
    if (!this.phases.hasState && !hasLimits && !waiting && !asks) return undefined
    return {
      progress: this.progress.now,
      values: this.phases.values,
      ...(waiting ? { children: waiting } : {}),
      ...(asks ? { bindings: record.bindings } : {}),
    }
  }

  /** What the compactions of the run left of its messages. */
  get compacted(): CompactedHistory | undefined {
    const { options, record } = this.#parts
    const { messages } = record
    const last = record.compactions.at(-1)
    if (last) return leftBy(toMessages(options.messages), messages, last)
    const before = compactedBefore(options)
    return before && { ...before, rest: before.rest + messages.length }
  }

  /** What a further leg needs, and the next run. */
  get left(): Pick<Suspension, 'kept' | 'compacted'> {
    const { kept, compacted } = this
    return { ...(kept ? { kept } : {}), ...(compacted ? { compacted } : {}) }
  }

  /** Tells what the run has reached, at the end of a step. */
  async tellState(): Promise<void> {
    const { record, sink } = this.#parts
    const { kept } = this
    if (kept) await sink([{ type: 'run-state', step: record.steps, ...kept }])
  }

  /** Ends the leg: its features are told, once. What fails is a warning, and an event if the leg has not told its ending. */
  async end(): Promise<void> {
    const { record, sink } = this.#parts
    for (const fault of (await this.phases.deactivate()) ?? []) {
      record.warn(fault.message)
      if (!record.isOver) await sink([fault])
    }
  }
}

async function phasesOf(
  opened: OpenedConfig,
  { options, record, calls, signal, sink }: LegParts,
  progress: ProgressCounter,
): Promise<Phases> {
  const { agent, resume } = options
  const warn = (message: string) => record.warn(message)
  const emit = (event: PartialEvent) => calls.emitOfTool(event)
  const featuresFor = (own = signal) => opened.features({ signal: own, warn, emit })
  return new Phases({
    featuresFor,
    declarations: await declarationsOf(featuresFor()),
    ...(agent ? { agent: agent.id, order: agent.plugin_ids ?? [] } : {}),
    ...(agent?.sections ? { sections: agent.sections } : {}),
    kept: resume?.kept?.values,
    now: () => ({ step: record.steps, usage: record.usage }),
    sink,
    stateEvent: (values, commit): RunStateEvent => ({
      type: 'run-state',
      step: record.steps,
      progress: progress.now,
      values,
      ...(commit ? { commit } : {}),
    }),
  })
}

function stopsOf(
  { resolved }: OpenedConfig,
  { maxSteps, stopConditions = [] }: RunOptions,
): Promise<StopCheck> {
  const rounds = maxSteps ?? limitsOf(resolved.config).max_rounds
  return StopCheck.of([...stopConditions, { type: 'max_rounds', rounds }])
}
