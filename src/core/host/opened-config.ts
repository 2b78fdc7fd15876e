import {
  type Config,
  HostError,
  type MessagesInput,
  type ModelInfo,
  type State,
  type ToolCallPart,
  type ToolResultPart,
  toMessages,
} from '@braidwork/plugin'
import type { ContextOf } from '@braidwork/plugin/internal'
import { bindRequest, type ChainRequest, prepare, prepareTools } from '../chain/index.ts'
import { checkSettings } from '../config/index.ts'
import type { Resolved } from '../resolve/index.ts'
import type { OfferedTool } from '../tool-schemas/index.ts'
import { type CallOutcome, resultOf } from './call-outcome.ts'
import { checkHistory } from './check-history.ts'
import { hostContexts } from './contexts.ts'
import { type HostCore, maskErrors } from './core.ts'
import { EventStream } from './event-stream.ts'
import { modelInfoOf } from './model-info.ts'
import type { AskOptions, Opening } from './open-options.ts'
import { type Asking, HostRequest, newRequestId, type RequestStream } from './request.ts'
import {
  attemptTool,
  callTool,
  executeTool,
  inputFault,
  type KnownCall,
  type Running,
  type ToolExecution,
} from './tool-execution.ts'
import { type InventoryTool, inventoryOf, tellIdle } from './tool-inventory.ts'
import { ToolOffer } from './tool-offer.ts'

/**
 * A resolved config, ready for requests: its settings are checked, and it has the model's facts and the tools on
 * offer. Every method of the host works on one. A run uses the same one for all its steps, so that its plugins,
 * tools and schemas stay the same.
 */
export class OpenedConfig implements Disposable {
  readonly resolved: Resolved
  /** The provider's facts about the model. Empty if it states none. */
  readonly modelInfo: ModelInfo
  readonly #core: HostCore
  readonly #opening: Opening
  readonly #contextOf: ContextOf
  #offering: Promise<ToolOffer> | undefined
  #offer = new ToolOffer([])
  #scope: AbortController | undefined
  #hasEnded = false

  private constructor(core: HostCore, resolved: Resolved, modelInfo: ModelInfo, opening: Opening) {
    this.#core = core
    this.resolved = resolved
    this.modelInfo = modelInfo
    this.#opening = opening
    this.#contextOf = hostContexts({
      ...opening.listener,
      ...idsOf(opening),
      core,
      resolved,
      modelInfo,
      signal: opening.signal,
      scope: () => this.#openScope(),
    })
  }

  /** Use {@link openConfig}. */
  static async of(core: HostCore, resolved: Resolved, opening: Opening): Promise<OpenedConfig> {
    const { provider, extensions, features, tools } = resolved.plugins
    await checkSettings(resolved.config, [provider, ...extensions, ...features, ...tools])
    return new OpenedConfig(core, resolved, await modelInfoOf(core, resolved), opening)
  }

  /**
   * Asks the tool plugins for their schemas, the first time that it is called.
   * @throws {HostError} TOOL_NAME_TAKEN, TOOL_SCHEMA_INVALID, HOOK_FAILED; HOST_CLOSED after `end`
   */
  async offer(): Promise<readonly OfferedTool[]> {
    if (this.#hasEnded) throw ended()
    this.#offering ??= this.#askTools()
    this.#offer = await this.#offering
    return this.#offer.tools
  }

  /** Every registered tool, offered or not, with the reason. Complete once `offer` has resolved. LT-08 */
  get inventory(): readonly InventoryTool[] {
    return inventoryOf(this.resolved, this.#offer.all)
  }

  /** The tools on offer, in order, under the names that the model uses. */
  get tools(): readonly OfferedTool[] {
    return this.#offer.tools
  }

  /** Finds a tool by the name that the model uses, on offer or denied by a policy. */
  toolNamed(name: string): OfferedTool | undefined {
    return this.#offer.named(name)
  }

  /**
   * Makes one request to the model: a stream of events, and a result. A final that asks for another step
   * (`metadata.retry`) is not an error here; the caller decides about it.
   */
  ask(messages: MessagesInput, { signal, ...options }: AskOptions = {}): RequestStream {
    const request = new HostRequest(this.#core, 'stream', {
      ...options,
      requestId: options.requestId ?? newRequestId(),
      messages,
      signals: [signal, this.#opening.signal],
      open: () => Promise.resolve(this),
    })
    return new EventStream(request)
  }

  /**
   * Builds the native request and the state as they are just before the provider would send them.
   * @throws {HostError} MESSAGES_INVALID, HOOK_FAILED
   */
  async dryRun(messages: MessagesInput): Promise<{ native: unknown; state: State }> {
    const scope = new AbortController()
    const { signal, requestId = newRequestId(), listener } = this.#opening
    try {
      const request = await this.requestFor({
        ...listener,
        messages: toMessages(messages),
        signal,
        scope: () => scope.signal,
        requestId,
      })
      const prepared = prepare(bindRequest(request))
      const { native, state } = await maskErrors(this.#core, this.resolved.config, prepared)
      return { native, state }
    } finally {
      scope.abort('the dry run is over')
    }
  }

  /** Runs a tool call. Each failure becomes an error result that the model can read. */
  async execute(call: ToolCallPart, execution: ToolExecution = {}): Promise<ToolResultPart> {
    await this.offer()
    const outcome = await executeTool(this, call, this.#running(execution))
    return resultOf(call, outcome)
  }

  /** Runs a call whose arguments were checked, and maps its answer or its error. @internal */
  attempt(known: KnownCall, execution: ToolExecution = {}): Promise<CallOutcome> {
    return attemptTool(this, known, this.#running(execution))
  }

  /**
   * Runs a tool call and returns the tool's own answer, before it becomes a result for the model.
   * @throws the error that the tool throws; {HostError} TIMEOUT, ABORTED, HOOK_ANSWER_INVALID
   * @internal
   */
  answerOf(known: KnownCall, execution: ToolExecution = {}): Promise<unknown> {
    return callTool(this, known, this.#running(execution))
  }

  /** Describes the fault in a call's arguments in words that help the model. Undefined if they are valid. */
  async faultOf(call: ToolCallPart): Promise<string | undefined> {
    const tool = this.toolNamed(call.name)
    return tool && inputFault(call, tool)
  }

  /** Ends the opened config, so that plugins release the values that they keep for it. Safe to call twice. */
  end(): void {
    this.#hasEnded = true
    // With a reason of our own, because the default reason would capture a stack trace that nobody reads.
    this.#scope?.abort('the opened config was ended')
    this.#opening.onEnd?.()
  }

  [Symbol.dispose](): void {
    this.end()
  }

  /**
   * Creates the request that goes through the chain.
   * @throws {HostError} HOST_CLOSED after `end`, MESSAGES_INVALID
   * @internal
   */
  async requestFor({ messages, toolChoice, ...asking }: Asking): Promise<ChainRequest> {
    checkHistory(messages, this.resolved)
    const offered = await this.offer()
    const config = this.#configWith(toolChoice)
    const contextOf = hostContexts({
      ...idsOf(this.#opening),
      ...asking,
      core: this.#core,
      resolved: { tags: this.resolved.tags, config },
      modelInfo: this.modelInfo,
    })
    const { signal } = asking
    return {
      ...this.#chainRequest({ config, signal, contextOf }),
      messages,
      offered,
      partials: 'events',
    }
  }

  #running(execution: ToolExecution): Running {
    const { signal, listener } = this.#opening
    const mask = this.#core.secrets.textMask(this.resolved.config)
    return { ...listener, signal, ...execution, contextOf: this.#contextOf, mask }
  }

  #configWith(toolChoice: Config['tool_choice'] | undefined): Config {
    const { config } = this.resolved
    return toolChoice === undefined ? config : { ...config, tool_choice: toolChoice }
  }

  /** Asks for tools with a request that stops after the tools have returned their schemas. It is never sent. */
  async #askTools(): Promise<ToolOffer> {
    const { config } = this.resolved
    const { signal } = this.#opening
    const request = this.#chainRequest({ config, signal, contextOf: this.#contextOf })
    const all = await maskErrors(this.#core, config, prepareTools(bindRequest(request)))
    tellIdle(this.resolved, all, this.#opening.listener?.warn)
    return new ToolOffer(all)
  }

  #chainRequest(trip: Pick<ChainRequest, 'config' | 'signal' | 'contextOf'>): ChainRequest {
    const { secrets } = this.#core
    return {
      ...trip,
      plugins: this.resolved.plugins,
      messages: [],
      tools: this.#opening.tools ?? [],
      configOf: (plugin) => secrets.viewOf(trip.config, plugin),
    }
  }

  /** The signal that aborts at `end`. Created when first needed, as most opened configs never need it. */
  #openScope(): AbortSignal {
    this.#scope ??= new AbortController()
    return this.#scope.signal
  }
}

function ended(): HostError {
  return new HostError('HOST_CLOSED', 'This opened config was ended; open the config again.')
}

function idsOf({ conversationId, runId, requestId }: Opening) {
  return { conversationId, runId, requestId }
}
