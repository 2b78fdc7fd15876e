import type { CallerTool, ConfigLayer, OpenOptions, ResultStore } from '@braidwork/core'
import {
  type ContextItem,
  isObject,
  type MessagesInput,
  type ModelInfo,
  type ToolCallPart,
} from '@braidwork/plugin'
import type { Resumption } from './approvals.ts'
import type { ChildLimits, ChildTool, Delegate, Parent } from './children/index.ts'
import { type CompactedHistory, compactedTo, isCompactedHistory } from './compaction/index.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import type { Interruption } from './interruption.ts'
import type { RuleBook, RunIdentity } from './policy/index.ts'
import type { CircuitBreakers, RetrySection } from './retry/index.ts'
import type { Routing } from './routing.ts'
import type { RunAnswer } from './run-answer.ts'
import type { RunObserver } from './run-record.ts'
import type { AgentSpec } from './specs/index.ts'
import type { Steering } from './steering.ts'
import type { StopCondition } from './stop/index.ts'
import type { LateRecord } from './tool-calls/index.ts'

export interface RunOptions {
  readonly config?: ConfigLayer | undefined
  readonly messages: MessagesInput
  /** What the program has put into the messages, beside what was said. Each request tells it. LR-06 */
  readonly context?: readonly ContextItem[] | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Tools that the caller defines. A call of a tool without `execute` ends the run, so that the caller can answer
   * it.
   */
  readonly tools?: readonly CallerTool[] | undefined
  /** The highest number of steps. The default is the config's `limits.max_rounds`, which is 16 by default. */
  readonly maxSteps?: number | undefined
  readonly conversationId?: string | undefined
  /** The default is a new id. */
  readonly runId?: string | undefined
  /**
   * Resumes a run that waits for approvals, or one whose process ended. `messages` must then hold the whole history,
   * including the run's own messages so far; those of an interrupted leg are in the {@link Interruption}. If they do not
   * end with the calls that wait, the run fails with MESSAGES_INVALID before any of them runs. Where the run has compacted
   * itself, the model is shown what its compactions left of the history.
   */
  readonly resume?: Resumption | Interruption | undefined
  /**
   * A call that stands in place of a model's answer: the run asks no model, and ends with the result of the call. Pass it
   * with `resume` too.
   */
  readonly call?: ToolCallPart | undefined
  /** Ids that no call of the run gets, besides those in `messages`: model APIs repeat theirs. The default is none. */
  readonly takenCallIds?: readonly string[] | undefined
  readonly environment?: Environment | undefined
  /**
   * Resolves when all events of the run so far are stored, and rejects if they cannot be. A call of a tool that is not
   * marked `is_read_only` runs only then. By default, nothing is stored and nothing waits. LT-10
   */
  readonly committed?: (() => Promise<void>) | undefined
  /**
   * Records what a tool still answers to a call that the run cancelled while it ran, after the run's ending or before.
   * By default that is dropped. LR-03
   */
  readonly late?: LateRecord | undefined
  /**
   * Stores the results of tools that are larger than `limits.tool_result_bytes`. The default is a store in memory for
   * this run. LT-09
   */
  readonly results?: ResultStore | undefined
  /**
   * Whether a person can answer questions of tools marked `asks_user`. If not, their calls end as errors that say so.
   * The default is true. CT-31
   */
  readonly canAsk?: boolean | undefined
  /** Says why the model is not to be shown a tool, as in the options of `host.open`. By default no tool is withheld. */
  readonly withholds?: OpenOptions['withholds'] | undefined
  /** Facts about the model that take precedence over those of the provider. */
  readonly modelInfo?: ModelInfo | undefined
  /** When the run stops before its agent is done, beside `maxSteps`. AW-66 */
  readonly stopConditions?: readonly StopCondition[] | undefined
  /** The spec of the agent, as far as the hooks of features see it, and its context policy. */
  readonly agent?: Pick<AgentSpec, 'id' | 'plugin_ids' | 'sections' | 'context_policy'> | undefined
  /** The features and tools that act, as in the options of `host.open`. By default all act. AW-65 */
  readonly active?: OpenOptions['active'] | undefined
  /** Limits that the owner of the run may change while it goes on. AL-16 */
  readonly rules?: RuleBook | undefined
  /** For whom the run works. Its scope is checked at each call and each step, also in the runs below. AL-07 */
  readonly identity?: RunIdentity | undefined
  /** The agents that the run may ask, each by a tool. AW-10 */
  readonly delegates?: readonly Delegate[] | undefined
  /** Further tools of the run whose calls ask agents: those of teams. AL-13 */
  readonly childTools?: readonly ChildTool[] | undefined
  /** Begins subagents: runs with the spec of this one. Absent if the run may have none. AL-22 */
  readonly subagent?: Delegate | undefined
  /** How many child runs work at once, how many there may be, and for how long. AL-20 */
  readonly childLimits?: ChildLimits | undefined
  /** Of a child run: the run that waits for it. AL-04 */
  readonly parent?: Parent | undefined
  /** Messages of the user that enter while the run is active. CT-15 */
  readonly steering?: Steering | undefined
  /**
   * The models that the run may ask, in order, at least one. `config` of each takes the place of that of the options,
   * and so does `modelInfo`, if it is given. By default the run asks the model of the config.
   */
  readonly routing?: Routing | undefined
  /**
   * Repeats requests that fail, and switches off the provider's own retries. By default the run repeats none. A section
   * that is not valid ends the run with OPTION_INVALID. AW-21
   */
  readonly retry?: RetrySection | undefined
  /** Whether readers can discard output that they were shown, when a step starts again. The default is true. AW-26 */
  readonly canReset?: boolean | undefined
  /**
   * The circuit breakers that runs share, if they repeat requests or have several models. The default are those of the
   * host. AW-23
   */
  readonly breakers?: CircuitBreakers | undefined
  /**
   * How many seconds the reader can wait for the first output and still be told an error in another way. If the
   * provider of the first step is asked to wait longer before it repeats its request, the run ends with the error at
   * once. A config that sets `limits.retry_after` takes precedence.
   */
  readonly startWait?: number | undefined
  /** Called after each request to a model, complete or cut short, before the run acts on its result. */
  readonly onAnswer?: ((answer: RunAnswer) => void) | undefined
  /**
   * Sees each event, in order, just before it is the reader's, and frozen. A failure of it becomes a warning of the run;
   * `warn` adds others. CT-28
   */
  readonly onEvent?: RunObserver | undefined
}

/** The options of a run that `host.open` takes as they are. */
export function openOptionsOf(
  options: RunOptions,
): Pick<OpenOptions, 'tools' | 'conversationId' | 'withholds' | 'modelInfo' | 'active'> {
  const { tools, conversationId, withholds, modelInfo, active } = options
  return {
    ...(tools ? { tools } : {}),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(withholds ? { withholds } : {}),
    ...(modelInfo ? { modelInfo } : {}),
    ...(active ? { active } : {}),
  }
}

/** The options of a run that concern its tool calls. */
export function callOptionsOf({
  environment = systemEnvironment,
  committed,
  late,
  canAsk,
  rules,
  identity,
}: RunOptions) {
  return { environment, committed, late, canAsk, rules, identity }
}

/** What the compactions of earlier legs left, if the run goes on after an approval. */
export function compactedBefore({ resume }: RunOptions): CompactedHistory | undefined {
  const compacted = isObject(resume) ? resume['compacted'] : undefined
  return isCompactedHistory(compacted) ? compacted : undefined
}

/** The options that code without types gives a run. What is no object has none, so that its messages are refused. */
export function objectIn(given: RunOptions): RunOptions {
  return isObject(given) ? given : ({} as RunOptions)
}

/** The options of a run, with what its earlier legs left of the messages. What is no message is refused later. */
export function begunWith(options: RunOptions): RunOptions {
  const compacted = compactedBefore(options)
  const { messages } = options
  if (!compacted || !Array.isArray(messages) || !(messages as readonly unknown[]).every(isObject))
    return options
  return { ...options, messages: compactedTo(messages, compacted) }
}
