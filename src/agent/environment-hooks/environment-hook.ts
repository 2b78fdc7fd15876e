import type { Message, MessagesInput, Part, RunEvent, ToolSchema } from '@braidwork/plugin'
import type { AgentSpec } from '../specs/index.ts'

/** An answer that may take time. */
export type Maybe<T> = T | undefined | Promise<T | undefined>

/** A call of a tool of an environment hook. CT-07 */
export interface HookCall {
  readonly callId: string
  /** The arguments. They fit the schema of the tool. */
  readonly input: unknown
  /** The id of the agent whose model made the call. */
  readonly agent: string
  /** Who writes to the agent, if the run says so. */
  readonly sender?: string
  readonly conversationId?: string
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal
}

/**
 * The door through which a program offers to its agents what only it can do: tools, a scope, messages. Every member but
 * the name may be absent, and may answer with nothing. One that throws, or answers with another kind of value, fails the
 * run or the resolution (HOOK_FAILED), and so does one that takes longer than `limits.hook` (TIMEOUT). `dispatch` fails
 * only its call, and `onEvent` becomes a warning of the run. CT-04
 */
export interface EnvironmentHook {
  /** Names the hook in errors. Unique in a runtime. */
  readonly name: string
  /** Tools for the agents. They come after those of plugins, and catalogs and policies apply to them. */
  schema?(): Maybe<readonly ToolSchema[]>
  /** A line about the scope of the agents. The lines of all hooks follow the agent's prompt in one block. */
  systemPrompt?(): Maybe<string>
  /** Fetches what `context` needs, before each run. All hooks fetch at the same time. AL-15 */
  fetchContext?(agent: string, conversationId: string | undefined): unknown
  /**
   * A part of the context of a run, such as what a memory or a session knows. It is made at once from what
   * `fetchContext` returned: a promise is refused. The parts of all hooks follow the scope lines, one block each.
   * AL-15
   */
  context?(fetched: unknown, agent: string, conversationId: string | undefined): string | undefined
  /** The place of this hook's context among those of others: the highest comes first. The default is 0. AL-15 */
  readonly contextPriority?: number
  /** Changes the spec of an agent before it is resolved. It returns a whole spec with the same id. */
  onBuildAgent?(config: AgentSpec): Maybe<AgentSpec>
  /** Names those of the hook's tools that an agent may use. The default is all of them. */
  scopedTools?(config: AgentSpec): Maybe<readonly string[]>
  /** Changes the content of the latest user message, for the model only. The first hook that answers decides. */
  preprocess?(agent: string, content: readonly Part[]): Maybe<readonly Part[] | string>
  /**
   * Returns messages that a run adds just before the latest user message. They are for the model only: they are never
   * part of a result and never stored. CT-16
   */
  onBeforeRun?(
    agent: string,
    conversationId: string | undefined,
    history: readonly Message[],
  ): Maybe<MessagesInput>
  /**
   * Sees each event of each run, in order, before the reader. The event is frozen, since all who see it share it. The run
   * does not wait for what it returns. CT-28
   */
  onEvent?(agent: string, conversationId: string | undefined, event: RunEvent): unknown
  /** Runs a call of a tool. The answer is as that of `executeTool`; undefined means that the call is not its own. */
  dispatch?(name: string, call: HookCall): unknown
}
