import type { Config, Diagnostic, HostError, MessagesInput, ModelInfo } from '@braidwork/plugin'
import { type AnyPlugin, limitsOf, messageOf } from '@braidwork/plugin/internal'
import { type ConfigLayer, mapTexts } from '../config/index.ts'
import type {
  editorSchema,
  SettingsDocument,
  SettingsFormat,
  SettingsViews,
} from '../forms/index.ts'
import { bindHook, type PluginStorages } from '../hooks/index.ts'
import { type Explanation, explain, type Resolution } from '../resolve/index.ts'
import {
  configFor,
  type HostCore,
  maskedLog,
  maskResolutionErrors,
  resolveFor,
  resolveOptions,
} from './core.ts'
import {
  type DryRunOptions,
  dryRun,
  modelInfo,
  type PluginTool,
  refreshModels,
  runAction,
  toolSchemas,
} from './doors.ts'
import { type LoweredTool, loweredTools, type ToolSchemaOptions } from './lowered-tools.ts'
import { openForCaller } from './open-config.ts'
import type { OpenOptions } from './open-options.ts'
import type { OpenedConfig } from './opened-config.ts'
import { configFaults, filled, masked, schemaForEditors, shownConfig } from './own-config.ts'
import { type RequestOptions, type RequestStream, requestStream } from './request-stream.ts'
import { type Result, successOf } from './result.ts'
import { type UiSchemaOptions, type UiViewOptions, uiSchema, uiView } from './ui-schema.ts'

type ActionArguments = [
  plugin: string,
  id: string,
  input: unknown,
  config?: ConfigLayer,
  options?: { readonly conversationId?: string; readonly signal?: AbortSignal },
]

/** Plugins behind one set of doors. Close it, or hold it with `await using`. */
export class Host implements AsyncDisposable {
  readonly #core: HostCore
  readonly #closing: AbortController
  #closed: Promise<void> | undefined

  /** Use {@link createHost}. */
  constructor(core: HostCore, closing: AbortController) {
    this.#core = core
    this.#closing = closing
  }

  /** The config of `createHost`: the lowest layer of every request. */
  get config(): Config {
    return this.#core.config
  }

  /** The registered plugins, in order. Of one that no config has used yet, what its manifest says; see `load`. */
  get plugins(): readonly AnyPlugin[] {
    return this.#core.registry.plugins
  }

  /** What was wrong with plugins that were to be loaded. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#core.registry.diagnostics
  }

  /** Runs the modules of all registered plugins, which else wait until a config has a use for them. */
  load(): Promise<void> {
    return this.#core.registry.loadAll()
  }

  /** The same plugins, which keep their values elsewhere. It is closed with this host. */
  withStorage(make: (storage: PluginStorages) => PluginStorages): Host {
    const core = { ...this.#core, storage: make(this.#core.storage) }
    return new Host(core, this.#closing)
  }

  /** A value with the secrets of the host's config taken out of its texts. */
  maskTexts<T>(value: T): T {
    const { secrets, config } = this.#core
    return mapTexts(value, secrets.textMask(config)) as T
  }

  /** A config with its secrets as `{"$secret": true}`, as far as schemas of loaded plugins mark them. */
  masked(config: ConfigLayer): ConfigLayer {
    return masked(this.#core, config)
  }

  /** A layer with each `${env:NAME}` filled in as `createHost` does; one without a value stays as it is. */
  filled(layer: ConfigLayer): ConfigLayer {
    return filled(this.#core, layer)
  }

  /** The host's config as it counts, values of variables filled in, and its secrets as `{"$secret": true}`. */
  shownConfig(): Promise<ConfigLayer> {
    return shownConfig(this.#core)
  }

  /** What is wrong with the settings of the host's config, by the schemas of all registered plugins. */
  settingsFaults(): Promise<readonly HostError[]> {
    return configFaults(this.#core)
  }

  /** JSON Schema of a config, for editors, with the settings of all registered plugins. */
  editorSchema(): Promise<ReturnType<typeof editorSchema>> {
    return schemaForEditors(this.#core)
  }

  /** Which plugins are on for a config, with the trace that says why. */
  async resolve(config?: ConfigLayer): Promise<Resolution> {
    return (await resolveFor(this.#core, configFor(this.#core, config))).resolution
  }

  /** Why each registered plugin is on or off, and the smallest change that turns it on. */
  async explain(
    config?: ConfigLayer,
    options: { readonly plugin?: string } = {},
  ): Promise<readonly Explanation[]> {
    const { registry, secrets, variables } = this.#core
    // What would turn a plugin on is for the plugin itself to say.
    await registry.loadAll()
    const merged = secrets.fill(configFor(this.#core, config), variables)
    const explained = explain(registry.plugins, merged, {
      ...resolveOptions(this.#core, merged),
      ...options,
    })
    return maskResolutionErrors(this.#core, merged, explained)
  }

  /**
   * The tools that a model is offered for a config, under the names that it sees: as they are, or in the
   * words of a format of model APIs, with what those cannot say.
   */
  async toolSchemas(config?: ConfigLayer): Promise<readonly PluginTool[]>
  async toolSchemas(
    config: ConfigLayer | undefined,
    options: ToolSchemaOptions,
  ): Promise<readonly LoweredTool[]>
  async toolSchemas(
    config?: ConfigLayer,
    options?: ToolSchemaOptions,
  ): Promise<readonly PluginTool[]> {
    const merged = configFor(this.#core, config)
    return options ? loweredTools(this.#core, merged, options) : toolSchemas(this.#core, merged)
  }

  /** The settings for a config: schema, layout, values and sections, as any form can show them. */
  uiSchema(config?: ConfigLayer, options?: UiSchemaOptions): Promise<SettingsDocument>
  /** The same as another form wants it. */
  uiSchema<F extends SettingsFormat>(
    config: ConfigLayer | undefined,
    options: UiViewOptions<F>,
  ): Promise<SettingsViews[F]>
  async uiSchema(
    config?: ConfigLayer,
    options: UiSchemaOptions | UiViewOptions<SettingsFormat> = {},
  ): Promise<unknown> {
    const merged = configFor(this.#core, config)
    if ('format' in options && options.format !== undefined)
      return uiView(this.#core, merged, options)
    return uiSchema(this.#core, merged, options)
  }

  /**
   * One answer, whole.
   * @throws {HostError} on any failure, with what had arrived as `partial`
   */
  async send(
    config: ConfigLayer,
    messages: MessagesInput,
    options: RequestOptions = {},
  ): Promise<Result> {
    const stream = requestStream(this.#core, 'send', { config, messages, options })
    const reader = stream[Symbol.asyncIterator]()
    // At once: `result` alone would leave a turn of the event loop to another reader, and there is none.
    while (!(await reader.next()).done);
    return successOf(await stream.result)
  }

  /** One answer as events. Never throws; it ends in exactly one of finish, error and abort. */
  stream(
    config: ConfigLayer,
    messages: MessagesInput,
    options: RequestOptions = {},
  ): RequestStream {
    return requestStream(this.#core, 'stream', { config, messages, options })
  }

  /** The native request, and the state, as they stand just before I/O. */
  async dryRun(config: ConfigLayer, messages: MessagesInput, options: DryRunOptions = {}) {
    return dryRun(this.#core, configFor(this.#core, config), messages, options)
  }

  /**
   * Opens a config once for several requests: plugins, tools and their schemas stay as they are now. End it
   * when it is done with, or hold it with `using`.
   * @throws {HostError} CONFIG_INVALID, SETTINGS_INVALID, TOOL_NAME_TAKEN, and as `resolve` does
   */
  async open(config?: ConfigLayer, options: OpenOptions = {}): Promise<OpenedConfig> {
    return openForCaller(this.#core, config, options)
  }

  /** Asks the provider's API for its models; they stay known for an hour. */
  async refreshModels(config?: ConfigLayer): Promise<readonly string[]> {
    return refreshModels(this.#core, configFor(this.#core, config))
  }

  /** What the config's provider knows of a model, by default of the config's own: window, prices, … */
  async modelInfo(config?: ConfigLayer, id?: string): Promise<ModelInfo> {
    return modelInfo(this.#core, configFor(this.#core, config), id)
  }

  /** Runs an action of a plugin that is on for the config. */
  async runAction(...[plugin, id, input, config, options]: ActionArguments): Promise<unknown> {
    return runAction(this.#core, configFor(this.#core, config), { plugin, id, input, ...options })
  }

  /** Cancels what runs, and closes every plugin; safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    this.#closing.abort('the host was closed')
    const { registry, config } = this.#core
    await registry.settled()
    const log = maskedLog(this.#core, config)
    const limits = limitsOf(config)
    const closed = registry.plugins.map(async (plugin) =>
      bindHook({ plugin, phase: 'settings', limits }, 'close')?.(),
    )
    for (const outcome of await Promise.allSettled(closed)) {
      if (outcome.status === 'rejected') log({ level: 'error', message: messageOf(outcome.reason) })
    }
  }
}
