import type { AskedFeature, FeatureHooks, Sink } from '@braidwork/core/internal'
import type {
  HookFaultEvent,
  JsonObject,
  RunEventBody,
  RunHook,
  RunPhase,
  RunSnapshot,
  RunStateEvent,
  Termination,
} from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Declarations } from './declarations.ts'
import { assertNoAnswer, type CheckedAnswer } from './phase-answer.ts'
import { PhaseWork } from './phase-work.ts'
import { RunState } from './run-state.ts'

/** The hook of each phase. The gates of `tool_gate` are asked for each call, by its pipeline. */
const HOOK_OF = {
  run_start: 'runStart',
  step_start: 'stepStart',
  before_inference: 'beforeInference',
  after_inference: 'afterInference',
  before_tool_execute: 'beforeToolExecute',
  after_tool_execute: 'afterToolExecute',
  step_end: 'stepEnd',
  run_end: 'runEnd',
} as const satisfies { readonly [P in Exclude<RunPhase, 'tool_gate'>]: RunHook }

type HookPhase = keyof typeof HOOK_OF

const PHASE_HOOKS = Object.values(HOOK_OF)

/** What a phase adds to the snapshot of its hooks. */
export type PhaseFacts = Pick<RunSnapshot, 'answer' | 'calls' | 'results' | 'termination'>

export interface PhasesParts {
  /** @param signal by default that of the run */
  readonly featuresFor: (signal?: AbortSignal) => FeatureHooks
  readonly declarations: Declarations
  /** The names of features whose hooks come first, in this order. AW-05 */
  readonly order?: readonly string[]
  readonly agent?: string
  /** The sections of the agent's spec. */
  readonly sections?: JsonObject
  /** The values of state keys in an earlier leg. */
  readonly kept?: JsonObject | undefined
  /** What the run has now. */
  readonly now: () => Pick<RunSnapshot, 'step' | 'usage'>
  readonly sink: Sink<readonly RunEventBody[]>
  /** The event of a change of the state. */
  readonly stateEvent: (values: JsonObject, commit: RunStateEvent['commit']) => RunEventBody
}

/** The phases of a leg, with the hooks and the state of its features. Without such features, a phase costs nothing. */
export class Phases {
  readonly #parts: PhasesParts
  readonly #features: FeatureHooks
  readonly #state: RunState
  readonly #hooks: Map<RunHook, readonly AskedFeature[]>
  #isActive = false

  constructor(parts: PhasesParts) {
    const { declarations, featuresFor, kept } = parts
    this.#parts = parts
    this.#features = featuresFor()
    this.#state = new RunState(declarations.stateKeys, kept)
    this.#hooks = new Map()
    for (const hook of PHASE_HOOKS) {
      const asked = this.#features.with(hook)
      if (asked.length > 0) this.#hooks.set(hook, this.#sorted(asked))
    }
  }

  /** The values of the state keys. */
  get values(): JsonObject {
    return this.#state.values
  }

  /** Whether features keep values for the run. */
  get hasState(): boolean {
    return this.#parts.declarations.stateKeys.size > 0
  }

  /** Tells the features that the leg begins. AW-68 @throws {HostError} as the hooks do */
  async activate(): Promise<void> {
    this.#isActive = true
    for (const { name, ask } of this.#sorted(this.#features.with('onActivate'))) {
      assertNoAnswer(name, 'onActivate', await ask(this.#snapshot('run_start', name)))
    }
  }

  /** Tells the features that the leg has ended, in reverse order, if one wants to know. Returns what failed. AW-68 */
  deactivate(): Promise<readonly HookFaultEvent[]> | undefined {
    if (!this.#isActive) return undefined
    this.#isActive = false
    return this.#features.with('onDeactivate').length > 0 ? this.#tellEnd() : undefined
  }

  async #tellEnd(): Promise<readonly HookFaultEvent[]> {
    const faults: HookFaultEvent[] = []
    const fault = { type: 'hook-fault', phase: 'run_end', key: 'onDeactivate' } as const
    // The signal of a cancelled run would end these hooks before they run.
    const features = this.#parts.featuresFor(new AbortController().signal)
    for (const { name, ask } of this.#sorted(features.with('onDeactivate')).toReversed()) {
      try {
        assertNoAnswer(name, 'onDeactivate', await ask(this.#snapshot('run_end', name)))
      } catch (error) {
        faults.push({ ...fault, plugin: name, message: messageOf(error) })
      }
    }
    return faults
  }

  /**
   * Runs the hooks of a phase, and what they schedule.
   * @returns why the run ends, if a feature ends it
   * @throws {HostError} as the hooks do; HOOK_ANSWER_INVALID, PHASE_LOOP_EXCEEDED
   */
  at(phase: HookPhase, facts: PhaseFacts = {}): Promise<Termination | undefined> | undefined {
    const hooks = this.#hooks.get(HOOK_OF[phase])
    return hooks && this.#run(phase, hooks, facts)
  }

  async #run(
    phase: HookPhase,
    hooks: readonly AskedFeature[],
    facts: PhaseFacts,
  ): Promise<Termination | undefined> {
    const { declarations, sink, stateEvent } = this.#parts
    const work = new PhaseWork({
      features: this.#features,
      declarations,
      state: this.#state,
      phase,
      hook: HOOK_OF[phase],
      snapshotFor: (plugin) => ({ ...this.#snapshot(phase, plugin), ...facts }),
      sink,
      committed: (plugins) => stateEvent(this.#state.values, { phase, plugins }),
    })
    return terminationOf(await work.run(hooks))
  }

  /** The run, as the gate of a feature sees it. */
  gateSnapshot(plugin: string): RunSnapshot {
    return this.#snapshot('tool_gate', plugin)
  }

  #snapshot(phase: RunPhase, plugin: string): RunSnapshot {
    const { agent, declarations, sections = {}, now } = this.#parts
    const own = Object.entries(sections).filter(
      ([name]) => declarations.sections.get(name)?.plugin === plugin,
    )
    return {
      phase,
      ...now(),
      state: this.#state.values,
      sections: Object.fromEntries(own),
      ...(agent === undefined ? {} : { agent }),
    }
  }

  /** First the features that the agent names, in its order. AW-05 */
  #sorted(features: readonly AskedFeature[]): readonly AskedFeature[] {
    const { order = [] } = this.#parts
    const rankOf = ({ name }: AskedFeature) =>
      order.includes(name) ? order.indexOf(name) : order.length
    return features.toSorted((left, right) => rankOf(left) - rankOf(right))
  }
}

/** Of the answers that end the run, one that blocks it counts before the others. */
function terminationOf(answers: readonly CheckedAnswer[]): Termination | undefined {
  const ending = answers.find(({ end }) => end?.blocked) ?? answers.find(({ end }) => end)
  if (!ending?.end) return undefined
  const { plugin, end } = ending
  const { detail, blocked = false } = end
  return { reason: blocked ? 'blocked' : 'behavior_requested', plugin, detail }
}
