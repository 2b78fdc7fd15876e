import type { Config } from './config.ts'
import type { ActionContext, Context, ModelInfo } from './context.ts'
import type { Message, PartialEvent } from './events/index.ts'
import type { Kind } from './kinds.ts'
import type { PhaseAnswer, RunSnapshot } from './run-hooks.ts'
import type {
  GatedCall,
  ToolCall,
  ToolCallEdit,
  ToolCallInfo,
  ToolGateVerdict,
  ToolResult,
  ToolResultEdit,
  ToolSchema,
} from './tools.ts'

/** A hook may answer at once or with a promise. */
export type Answer<T> = T | PromiseLike<T>

/** A request's shared state: JSON, never changed in place. */
export type State = { readonly [key: string]: unknown }

/** The result of processing a chunk, or of a whole `call`. */
export type ChunkResult<Native = unknown, S extends object = State> = readonly [
  partials: readonly PartialEvent[],
  finals: readonly unknown[],
  native: Native,
  state: S,
]

/** The plugin ids of each kind at the start of a resolution round. CL-09 */
export interface EnablementContext {
  readonly enabled_plugin_ids: {
    readonly extensions: readonly string[]
    readonly features: readonly string[]
    readonly tools: readonly string[]
  }
  readonly disabled_plugins: readonly string[]
  readonly force_enabled_plugins: readonly string[]
}

/** The state that a form is made for. `available_tools` have the plugins' names, `tools` those that the model sees. */
export interface UiInput {
  readonly tags: ReadonlySet<string>
  readonly models: readonly string[]
  readonly available_tools: readonly ToolSchema[]
  readonly tools: readonly ToolSchema[]
}

/** A setting or an action that a plugin adds to forms. An action may belong to another plugin, the `action_owner`. */
export interface UiElement {
  /** The key of a setting in `settings.<plugin>`, or the action id that `runAction` receives. */
  readonly id: string
  readonly kind: 'setting' | 'session-action' | 'message-action'
  readonly title: string
  /** JSON Schema of the setting, where it is required, or of the action's input. */
  readonly schema?: { readonly [key: string]: unknown }
  /** The plugin whose `runAction` runs the action. The default is this plugin. */
  readonly action_owner?: string
}

/** A hook of one phase of a run. */
type PhaseHook = (run: RunSnapshot, context: ActionContext) => Answer<PhaseAnswer | undefined>

type Upstream<K extends Kind, T extends readonly unknown[]> = K extends 'provider' ? [] : T
type OnlyProvider<K extends Kind, Own, Others> = K extends 'provider' ? Own : Others

/** The signature of every hook for a kind of plugin. The table HOOKS says which kinds have which hook. */
export interface HookSignatures<
  K extends Kind = Kind,
  Native = unknown,
  S extends object = State,
  Chunk = unknown,
> {
  /** Lists the ids of the available models, without I/O. */
  getModels(
    config: Config,
    ...upstream: Upstream<K, [models: readonly string[]]>
  ): Answer<readonly string[]>
  /** Asks the API for its models. */
  refreshModels(config: Config, context: ActionContext): Answer<readonly string[]>
  getModelInfo(id: string, config: Config): Answer<ModelInfo>
  getTags(
    config: Config,
    models: readonly string[],
  ): Answer<readonly string[] | ReadonlySet<string>>
  /** `true` and `false` decide. With any other answer, the tags decide. */
  isEnabled(
    config: Config,
    tags: ReadonlySet<string>,
    models: readonly string[],
    context: EnablementContext,
  ): Answer<unknown>
  init(
    config: Config,
    ...rest: K extends 'provider' | 'tool' ? [context: Context] : [state: State, context: Context]
  ): Answer<S>
  editMessages(messages: readonly Message[], state: S, context: Context): Answer<readonly Message[]>
  toNative(
    messages: readonly Message[],
    upstream: OnlyProvider<K, S, Native>,
    context: Context,
  ): Answer<Native>
  initializeRequest(
    native: Native,
    state: S,
    context: Context,
  ): Answer<readonly [native: Native, state: S]>
  call(native: Native, state: S, context: Context): Answer<ChunkResult<Native, S>>
  /**
   * Yields the chunks of an answer. Without `processChunk` they are the answer: events, texts, or messages of the
   * assistant whose parts are appended. The host opens and closes the parts of texts and messages.
   */
  stream(
    native: Native,
    state: S,
    context: Context,
  ): Answer<AsyncIterable<Chunk | readonly Chunk[]> | Iterable<Chunk | readonly Chunk[]>>
  processChunk(
    chunk: Chunk,
    ...rest: [
      ...Upstream<K, [partials: readonly PartialEvent[], finals: readonly unknown[]]>,
      native: Native,
      state: S,
      context: Context,
    ]
  ): Answer<ChunkResult<Native, S>>
  finalize(
    ...args: [
      ...Upstream<K, [finals: readonly unknown[]]>,
      native: Native,
      state: S,
      context: Context,
    ]
  ): Answer<readonly [finals: readonly unknown[], native: Native, state: S]>
  fromNative(
    natives: readonly unknown[],
    upstream: OnlyProvider<K, S, readonly (Message | PartialEvent)[]>,
    context: Context,
  ): Answer<readonly (Message | PartialEvent)[]>
  /** Returns a vector for each input, and the tokens of all inputs if they are known. */
  embed(
    inputs: readonly (string | readonly number[])[],
    options: { readonly dimensions?: number },
    context: ActionContext,
  ): Answer<{ readonly vectors: readonly ArrayLike<number>[]; readonly tokens?: number }>
  getToolSchemas(state: S, context: ActionContext): Answer<readonly ToolSchema[]>
  executeTool(call: ToolCall, state: S, context: ActionContext): Answer<ToolResult>
  editToolCall(call: ToolCallInfo, context: ActionContext): Answer<ToolCallEdit | undefined>
  toolGate(call: GatedCall, context: ActionContext): Answer<ToolGateVerdict | undefined>
  editToolResult(
    call: ToolCallInfo,
    result: { readonly output: unknown; readonly isError: boolean },
    context: ActionContext,
  ): Answer<ToolResultEdit | undefined>
  onActivate(run: RunSnapshot, context: ActionContext): Answer<void>
  runStart: PhaseHook
  stepStart: PhaseHook
  beforeInference: PhaseHook
  afterInference: PhaseHook
  beforeToolExecute: PhaseHook
  afterToolExecute: PhaseHook
  stepEnd: PhaseHook
  runEnd: PhaseHook
  handleAction(
    key: string,
    input: unknown,
    run: RunSnapshot,
    context: ActionContext,
  ): Answer<PhaseAnswer | undefined>
  handleEffect(key: string, input: unknown, run: RunSnapshot, context: ActionContext): Answer<void>
  onDeactivate(run: RunSnapshot, context: ActionContext): Answer<void>
  getUiElements(
    config: Config,
    input: UiInput,
    context: ActionContext,
  ): Answer<readonly UiElement[]>
  runAction(id: string, input: unknown, context: ActionContext): Answer<unknown>
  close(): Answer<void>
}
