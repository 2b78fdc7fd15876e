import type {
  JsonObject,
  Message,
  RunPhase,
  Termination,
  ToolResultPart,
  Usage,
} from './events/index.ts'

/** What the hooks of a phase see of a run. All hooks of a phase see the same. AW-61 */
export interface RunSnapshot {
  readonly phase: RunPhase
  /** The number of the step, from 1; 0 before the first. */
  readonly step: number
  /** The values of all state keys. */
  readonly state: JsonObject
  /** The sections of the agent that this feature claims. */
  readonly sections: JsonObject
  /** The id of the agent. Absent for a run without a spec. */
  readonly agent?: string
  readonly usage: Usage
  /** The messages of the step's answer, from `after_inference` on. */
  readonly answer?: readonly Message[]
  /** The calls of the answer that the host runs, in the phases around them. `input` is as the model wrote it. */
  readonly calls?: readonly {
    readonly callId: string
    readonly name: string
    readonly input: unknown
  }[]
  /** The results of the calls, from `after_tool_execute` on. */
  readonly results?: readonly ToolResultPart[]
  /** Why the run ends. Only in `run_end`. */
  readonly termination?: Termination
}

/** A key of an action or an effect, with its input. */
export interface HookRequest {
  readonly key: string
  readonly input?: unknown
}

/** What a hook of a phase wants. Without an answer, it wants nothing. */
export interface PhaseAnswer {
  /** New values of state keys; for keys with a merge rule, what is added. AW-61 */
  readonly state?: JsonObject
  /** Actions that run in this phase, after its hooks. AW-62 */
  readonly actions?: readonly HookRequest[]
  /** Effects that run once the state of the phase is committed. AW-62 */
  readonly effects?: readonly HookRequest[]
  /** Ends the run. `blocked` says that it must not go on; by default it is only done. */
  readonly end?: { readonly detail: string; readonly blocked?: boolean }
}

/** How the value of a state key changes. AW-61 */
export interface StateKey {
  /**
   * `exclusive`: a new value replaces the old one, and of two hooks that write it, the second runs again. `sum` adds
   * numbers, `append` adds items to a list, `assign` adds members to an object. The default is `exclusive`.
   */
  readonly merge?: 'exclusive' | 'sum' | 'append' | 'assign'
  readonly initial: unknown
  /** Whether other features may write it too. The default is false. */
  readonly shared?: boolean
}

const RUN_HOOK = { kinds: ['feature'], answer: 'any', limit: 'hook', flow: 'each' } as const

/** A hook of one phase. Its name in Python is the name of the phase. */
const ofPhase = <N extends RunPhase>(phase: N, about: string) =>
  ({ ...RUN_HOOK, python: [phase], args: 'run', about }) as const

/** The hooks of features in the runs of agents. They are part of HOOKS. AW-60 */
export const RUN_HOOKS = {
  onActivate: {
    ...RUN_HOOK,
    python: ['on_activate'],
    args: 'run',
    about: 'Runs once at the start of each leg of a run, before its other run hooks.',
  },
  runStart: ofPhase(
    'run_start',
    'Runs when a run starts. It does not run again after an approval.',
  ),
  stepStart: ofPhase('step_start', 'Runs at the start of each step.'),
  beforeInference: ofPhase('before_inference', 'Runs before each request to the model.'),
  afterInference: ofPhase('after_inference', 'Runs after each complete answer of the model.'),
  beforeToolExecute: ofPhase(
    'before_tool_execute',
    'Runs before the calls of a step run, once for all of them.',
  ),
  afterToolExecute: ofPhase(
    'after_tool_execute',
    'Runs when all calls of a step have results, once for all of them.',
  ),
  stepEnd: ofPhase('step_end', 'Runs at the end of each step.'),
  runEnd: ofPhase('run_end', 'Runs before the ending of a run, unless it was cancelled.'),
  handleAction: {
    ...RUN_HOOK,
    python: ['handle_action'],
    args: 'key, input, run',
    about:
      'Runs a scheduled action whose key is in `actions` of the feature. It answers as the hook of a phase does.',
  },
  handleEffect: {
    ...RUN_HOOK,
    python: ['handle_effect'],
    args: 'key, input, run',
    about: 'Runs an effect whose key is in `effects` of the feature. It answers nothing.',
  },
  onDeactivate: {
    ...RUN_HOOK,
    python: ['on_deactivate'],
    args: 'run',
    about:
      'Runs at the end of each leg of a run, however it ends, in reverse order of the features.',
  },
} as const

export type RunHook = keyof typeof RUN_HOOKS
