import type { Config, Settings } from './config.ts'
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

/** Headers of HTTP, by their names in lower case. */
export type Headers = { readonly [name: string]: string }

/** A request's shared state: JSON, never changed in place. */
export type State = {
  /** Headers that are added to the request, by `init` or `initializeRequest`. None may carry a key. */
  readonly requestHeaders?: Headers
  /** The headers of the model API's response: from the first chunk on, or after `call`. */
  readonly responseHeaders?: Headers
  readonly [key: string]: unknown
}

/** The result of processing a chunk, or of a whole `call`. */
export type ChunkResult<Native = unknown, S extends object = State, P = PartialEvent> = readonly [
  partials: readonly P[],
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

type Upstream<K extends Kind, T extends readonly unknown[]> = K extends 'provider' ? [] : T
type OnlyProvider<K extends Kind, Own, Others> = K extends 'provider' ? Own : Others

/** The signature of every hook for a kind of plugin. The table HOOKS says which kinds have which hook. */
export interface HookSignatures<
  K extends Kind = Kind,
  Native = unknown,
  S extends object = State,
  Chunk = unknown,
  Own = Settings,
> {
  /** Lists the ids of the available models, without I/O. Extensions and features change the list before them. */
  getModels(
    config: Config,
    ...upstream: Upstream<K, [models: readonly string[]]>
  ): Answer<readonly string[]>
  /** Asks the API for its models. Only `host.refreshModels` calls it. */
  refreshModels(config: Config, context: ActionContext<Own>): Answer<readonly string[]>
  /** Describes a model: context window, largest output, modalities and prices. Unknown facts are absent. */
  getModelInfo(id: string, config: Config): Answer<ModelInfo>
  /** Lists the tags that the plugin provides for this config. */
  getTags(
    config: Config,
    models: readonly string[],
  ): Answer<readonly string[] | ReadonlySet<string>>
  /** Switches the plugin on with `true` or off with `false`. With any other answer, the tags decide. */
  isEnabled(
    config: Config,
    tags: ReadonlySet<string>,
    models: readonly string[],
    context: EnablementContext,
  ): Answer<unknown>
  /** Starts a request: the provider creates the shared state, others add to it. A tool's state is its own. */
  init(
    config: Config,
    ...rest: K extends 'provider' | 'tool'
      ? [context: Context<Own>]
      : [state: State, context: Context<Own>]
  ): Answer<S>
  /** Changes the messages before the provider converts them. It works with any provider. */
  editMessages(
    messages: readonly Message[],
    state: S,
    context: Context<Own>,
  ): Answer<readonly Message[]>
  /** Converts messages into the provider's native request. Extensions and features change that one. */
  toNative(
    messages: readonly Message[],
    upstream: OnlyProvider<K, S, Native>,
    context: Context<Own>,
  ): Answer<Native>
  /** Makes the last changes to the native request and to the state, which may name headers: {@link State}. */
  initializeRequest(
    native: Native,
    state: S,
    context: Context<Own>,
  ): Answer<readonly [native: Native, state: S]>
  /** Sends the request and waits for the whole answer. */
  call(native: Native, state: S, context: Context<Own>): Answer<ChunkResult<Native, S>>
  /**
   * Sends the request and yields chunks as they arrive. An array is several chunks that arrived together. Without
   * `processChunk` they are the answer: events, texts, or messages of the assistant whose parts are appended. The host
   * opens and closes the parts of texts and messages.
   */
  stream(
    native: Native,
    state: S,
    context: Context<Own>,
  ): Answer<AsyncIterable<Chunk | readonly Chunk[]> | Iterable<Chunk | readonly Chunk[]>>
  /**
   * Converts one chunk into events (partials) and native messages (finals). It runs for every chunk. The partials of a
   * provider may also be texts and messages, as in `stream`. Without finals the host gathers the message.
   */
  processChunk(
    chunk: Chunk,
    ...rest: [
      ...Upstream<K, [partials: readonly PartialEvent[], finals: readonly unknown[]]>,
      native: Native,
      state: S,
      context: Context<Own>,
    ]
  ): Answer<ChunkResult<Native, S, OnlyProvider<K, PartialEvent | Message | string, PartialEvent>>>
  /** Runs after the last chunk. The provider adds the remaining finals, others may change all of them. */
  finalize(
    ...args: [
      ...Upstream<K, [finals: readonly unknown[]]>,
      native: Native,
      state: S,
      context: Context<Own>,
    ]
  ): Answer<readonly [finals: readonly unknown[], native: Native, state: S]>
  /**
   * Converts native messages into messages. Extensions also get the events of a stream, while `context.phase` is
   * `partials`. An event has a `type`; a message has a `role`.
   */
  fromNative(
    natives: readonly unknown[],
    upstream: OnlyProvider<K, S, readonly (Message | PartialEvent)[]>,
    context: Context<Own>,
  ): Answer<readonly (Message | PartialEvent)[]>
  /** Returns a vector for each input, and the tokens of all inputs if they are known. */
  embed(
    inputs: readonly (string | readonly number[])[],
    options: { readonly dimensions?: number },
    context: ActionContext<Own>,
  ): Answer<{ readonly vectors: readonly ArrayLike<number>[]; readonly tokens?: number }>
  /** Lists the tools that the plugin offers to the model, with their schemas. */
  getToolSchemas(state: S, context: ActionContext<Own>): Answer<readonly ToolSchema[]>
  /** Runs one tool call, whose arguments the host has validated. */
  executeTool(call: ToolCall, state: S, context: ActionContext<Own>): Answer<ToolResult>
  /** Changes the arguments of a call before the policy decides about it. */
  editToolCall(call: ToolCallInfo, context: ActionContext<Own>): Answer<ToolCallEdit | undefined>
  /** Judges a call before it runs. The strictest of all gates and the policy decides. */
  toolGate(call: GatedCall, context: ActionContext<Own>): Answer<ToolGateVerdict | undefined>
  /** Changes the text that the model is told of a call that has run. */
  editToolResult(
    call: ToolCallInfo,
    result: { readonly output: unknown; readonly isError: boolean },
    context: ActionContext<Own>,
  ): Answer<ToolResultEdit | undefined>
  /** Runs once at the start of each leg of a run, before its other run hooks. */
  onActivate(run: RunSnapshot, context: ActionContext<Own>): Answer<void>
  /** Runs when a run starts. It does not run again after an approval. */
  runStart(run: RunSnapshot, context: ActionContext<Own>): Answer<PhaseAnswer | undefined>
  /** Runs at the start of each step. */
  stepStart(run: RunSnapshot, context: ActionContext<Own>): Answer<PhaseAnswer | undefined>
  /** Runs before each request to the model. */
  beforeInference(run: RunSnapshot, context: ActionContext<Own>): Answer<PhaseAnswer | undefined>
  /** Runs after each complete answer of the model. */
  afterInference(run: RunSnapshot, context: ActionContext<Own>): Answer<PhaseAnswer | undefined>
  /** Runs before the calls of a step run, once for all of them. */
  beforeToolExecute(run: RunSnapshot, context: ActionContext<Own>): Answer<PhaseAnswer | undefined>
  /** Runs when all calls of a step have results, once for all of them. */
  afterToolExecute(run: RunSnapshot, context: ActionContext<Own>): Answer<PhaseAnswer | undefined>
  /** Runs at the end of each step. */
  stepEnd(run: RunSnapshot, context: ActionContext<Own>): Answer<PhaseAnswer | undefined>
  /** Runs before the ending of a run, unless it was cancelled. */
  runEnd(run: RunSnapshot, context: ActionContext<Own>): Answer<PhaseAnswer | undefined>
  /** Runs a scheduled action whose key is in `actions` of the feature. */
  handleAction(
    key: string,
    input: unknown,
    run: RunSnapshot,
    context: ActionContext<Own>,
  ): Answer<PhaseAnswer | undefined>
  /** Runs an effect whose key is in `effects` of the feature. */
  handleEffect(
    key: string,
    input: unknown,
    run: RunSnapshot,
    context: ActionContext<Own>,
  ): Answer<void>
  /** Runs at the end of each leg of a run, however it ends, in reverse order of the features. */
  onDeactivate(run: RunSnapshot, context: ActionContext<Own>): Answer<void>
  /** Lists settings and actions for forms. The host accepts the settings that it lists for the present config. */
  getUiElements(
    config: Config,
    input: UiInput,
    context: ActionContext<Own>,
  ): Answer<readonly UiElement[]>
  /** Runs one of the actions that the plugin lists in `getUiElements`. */
  runAction(id: string, input: unknown, context: ActionContext<Own>): Answer<unknown>
  /** Runs when the host closes. It releases open resources. */
  close(): Answer<void>
}
