import {
  HostError,
  type InventoryTool,
  type Message,
  type MessagesInput,
  type ModelInfo,
  type ToolResultPart,
} from '@braidwork/plugin'
import type { ContextOf } from '@braidwork/plugin/internal'
import { bindRequest, type ChainRequest } from '../chain/index.ts'
import { type ConfigLayer, checkConfig, withLayer } from '../config/index.ts'
import type { EnabledPlugins, Resolved } from '../resolve/index.ts'
import type { OfferedTool } from '../tool-schemas/index.ts'
import { askedConfig } from './asked-config.ts'
import { hostContexts } from './contexts.ts'
import { type HostCore, maskErrors, resolveFor, warnLog } from './core.ts'
import { EventStream } from './event-stream.ts'
import { activePlugins, FeatureHooks } from './features.ts'
import { modelInfoOf } from './model-info.ts'
import { type DryRunFor, type NativeRequestOptions, nativeRequest } from './native-request.ts'
import {
  type AskOptions,
  idsOf,
  type Opening,
  type ReopenOptions,
  reopening,
} from './open-options.ts'
import { type Asking, HostRequest, newRequestId, type RequestStream } from './request.ts'
import { historyFor } from './request-history.ts'
import { LazySignal } from './signals/lazy-signal.ts'
import { type CallOutcome, resultOf } from './tools/call-outcome.ts'
import { ConfigTools } from './tools/config-tools.ts'
import { inputFault, type NamedCall } from './tools/input-fault.ts'
import {
  attemptTool,
  callTool,
  executeTool,
  type KnownCall,
  keepOutcome,
  type Running,
  type ToolExecution,
} from './tools/tool-execution.ts'
import { inventoryOf, tellFaults } from './tools/tool-inventory.ts'

/**
 * A resolved config, ready for requests: its settings are checked, and it has the model's facts and the tools on
 * offer. Every method of the host works on one. A run uses the same one for all its steps, so that its plugins,
 * tools and schemas stay the same.
 */
export class OpenedConfig implements Disposable {
  readonly resolved: Resolved
  /** The provider's facts about the model. Empty if it states none. */
  readonly modelInfo: ModelInfo
  /** Writes a warning to the host's log, with secrets masked: for what comes after the result. @internal */
  readonly warn: (message: string) => void
  readonly #core: HostCore
  readonly #opening: Opening
  readonly #contextOf: ContextOf
  readonly #plugins: EnabledPlugins
  readonly #tools: ConfigTools
  readonly #scope = new LazySignal()
  #hasEnded = false

  private constructor(core: HostCore, resolved: Resolved, modelInfo: ModelInfo, opening: Opening) {
    this.#core = core
    this.resolved = resolved
    this.modelInfo = modelInfo
    this.#opening = opening
    this.#plugins = activePlugins(resolved.plugins, opening.active)
    const { signal } = opening
    this.#contextOf = hostContexts({
      ...opening.listener,
      ...idsOf(opening),
      core,
      resolved,
      modelInfo,
      signal,
      scope: () => this.#scope.signal,
    })
    const { config } = resolved
    this.warn = warnLog(core, config)
    const told = { config, warn: opening.listener?.warn, log: this.warn }
    const trip = { config, signal, contextOf: this.#contextOf, messages: [] }
    this.#tools = new ConfigTools({
      core,
      config,
      store: opening.results,
      tags: resolved.tags,
      withholds: opening.withholds,
      onAsked: (all) => tellFaults(this.#plugins.tools, all, told),
      request: (hostTools) => bindRequest(this.#chainRequest({ ...trip, hostTools })),
    })
  }

  /** Use {@link openConfig}. */
  static async of(core: HostCore, resolved: Resolved, opening: Opening): Promise<OpenedConfig> {
    await opening.check(resolved)
    const facts = { ...(await modelInfoOf(core, resolved)), ...opening.modelInfo }
    return new OpenedConfig(core, resolved, facts, opening)
  }

  /**
   * Asks the tool plugins for their schemas, the first time that it is called.
   * @throws {HostError} TOOL_NAME_TAKEN, TOOL_SCHEMA_INVALID, HOOK_FAILED; HOST_CLOSED after `end`
   */
  async offer(): Promise<readonly OfferedTool[]> {
    if (this.#hasEnded) {
      throw new HostError('HOST_CLOSED', 'This opened config was ended; open the config again.')
    }
    return maskErrors(this.#core, this.resolved.config, this.#tools.offer())
  }

  /** The tools on offer for a request with these messages, which may refer to large results. @internal */
  async offerFor(messages: readonly Message[]): Promise<readonly OfferedTool[]> {
    this.#tools.note(messages)
    return this.offer()
  }

  /** Every registered tool, offered or not, with the reason. Complete once `offer` has resolved. LT-08 */
  get inventory(): readonly InventoryTool[] {
    return inventoryOf(this.resolved, this.#plugins.tools, this.#tools.last.all)
  }

  /** The tools on offer, in order, under the names that the model uses. */
  get tools(): readonly OfferedTool[] {
    return this.#tools.last.tools
  }

  /** Finds a tool by the name that the model uses, on offer or denied by a policy. */
  toolNamed(name: string): OfferedTool | undefined {
    return this.#tools.last.named(name)
  }

  /**
   * Makes one request to the model: a stream of events, and a result. A final that asks for another step
   * (`metadata.retry`) is not an error here; the caller decides about it.
   */
  ask(
    messages: MessagesInput,
    { signal, requestId = newRequestId(), ...options }: AskOptions = {},
  ): RequestStream {
    const { onContext, onWarning, mode = 'stream', ...changes } = options
    const signals = [signal, this.#opening.signal]
    const input = { requestId, changes, messages, onContext, onWarning, signals }
    const open = () => Promise.resolve(this)
    return new EventStream(new HostRequest(this.#core, mode, { ...input, open }))
  }

  /** Opens the config again, with a layer over it and other tools. Each of the two has its own end. @internal */
  async reopen(layer: ConfigLayer, options: ReopenOptions): Promise<OpenedConfig> {
    const config = withLayer(this.resolved.config, checkConfig(layer))
    const resolved = await resolveFor(this.#core, config)
    const opening = { ...reopening(this.#opening), ...options }
    return maskErrors(this.#core, config, OpenedConfig.of(this.#core, resolved, opening))
  }

  /**
   * Builds the native request and the state as they are just before the provider would send them.
   * @throws {HostError} MESSAGES_INVALID, HOOK_FAILED
   */
  dryRun<O extends NativeRequestOptions>(messages: MessagesInput, options?: O) {
    const own = { ...options, mask: this.#core.secrets.textMask(this.resolved.config) }
    const built = nativeRequest((asking) => this.requestFor(asking), this.#opening, messages, own)
    return maskErrors(this.#core, this.resolved.config, built as Promise<DryRunFor<O>>)
  }

  /** Runs a tool call. Each failure becomes an error result that the model can read. */
  async execute(call: NamedCall, execution: ToolExecution = {}): Promise<ToolResultPart> {
    await this.offer()
    const outcome = await executeTool(this, call, this.#running(execution))
    return resultOf(call, outcome)
  }

  /** Runs a call whose arguments were checked, and maps its answer or its error. @internal */
  attempt(known: KnownCall, execution: ToolExecution = {}): Promise<CallOutcome> {
    return attemptTool(this, known, this.#running(execution))
  }

  /** The outcome as the model gets it: what is too large is stored. LT-09 @internal */
  kept(outcome: CallOutcome, execution: ToolExecution = {}): Promise<CallOutcome> {
    return keepOutcome(outcome, { signal: this.#opening.signal, ...execution, ...this.#tools.own })
  }

  /**
   * Runs a tool call and returns the tool's own answer, before it becomes a result for the model.
   * @throws the error that the tool throws; {HostError} TIMEOUT, ABORTED, HOOK_ANSWER_INVALID @internal
   */
  answerOf(known: KnownCall, execution: ToolExecution = {}): Promise<unknown> {
    return callTool(this, known, this.#running(execution))
  }

  /** The hooks of the features for a run and its tool calls. @internal */
  features(execution: ToolExecution = {}): FeatureHooks {
    return new FeatureHooks(this.resolved, this.#plugins.features, () => this.#running(execution))
  }

  /** The fault in a call's arguments, for the model. Undefined if valid. @throws {HostError} TOOL_SCHEMA_INVALID */
  async faultOf(call: NamedCall): Promise<string | undefined> {
    const tool = this.toolNamed(call.name)
    return tool && maskErrors(this.#core, this.resolved.config, inputFault(call, tool))
  }

  /** Ends the opened config, so that plugins release the values that they keep for it. Safe to call twice. */
  end(): void {
    this.#hasEnded = true
    this.#scope.abort('the opened config was ended')
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
  async requestFor({ messages, changes, ...asking }: Asking): Promise<ChainRequest> {
    const history = historyFor(messages, this.resolved)
    const offered = await this.offerFor(messages)
    const config = askedConfig(this.resolved, changes)
    const contextOf = hostContexts({
      ...idsOf(this.#opening),
      ...asking,
      core: this.#core,
      resolved: { tags: this.resolved.tags, config },
      modelInfo: this.modelInfo,
    })
    const { signal, onPrepared, trail } = asking
    const trip = { config, signal, contextOf, onPrepared, trail, offered }
    return this.#chainRequest({ ...trip, messages: history, partials: 'events' })
  }

  #running(execution: ToolExecution): Running {
    const { signal, listener } = this.#opening
    const about = { contextOf: this.#contextOf, ...this.#tools.own }
    return { ...listener, signal, ...execution, ...about, closing: this.#core.closing }
  }

  #chainRequest(trip: Omit<ChainRequest, 'plugins' | 'tools' | 'configOf'>): ChainRequest {
    const { secrets } = this.#core
    return {
      ...trip,
      plugins: this.#plugins,
      tools: this.#opening.tools ?? [],
      configOf: (plugin) => secrets.viewOf(trip.config, plugin),
    }
  }
}
