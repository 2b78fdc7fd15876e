import type { Config, Diagnostic, HostError, MessagesInput, ModelInfo } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { type ConfigLayer, mapTexts } from '../config/index.ts'
import { type Explanation, explain } from '../explain/index.ts'
import type {
  editorSchema,
  SettingsDocument,
  SettingsFormat,
  SettingsViews,
} from '../forms/index.ts'
import type { Resolution } from '../resolve/index.ts'
import { type PluginStorages, storagesOf } from '../storage.ts'
import { VERSION } from '../version.ts'
import { type Caller, checkedCaller } from './caller.ts'
import {
  configFor,
  coreWithStorage,
  type HostCore,
  maskResolutionErrors,
  outputMask,
  resolveFor,
  resolveOptions,
} from './core.ts'
import {
  type ActionArguments,
  closePlugins,
  type DryRunOptions,
  dryRun,
  modelInfo,
  refreshModels,
  runAction,
  toolInventory,
  toolSchemas,
} from './doors.ts'
import { type Embedded, type EmbedInputs, type EmbedOptions, embed } from './embed.ts'
import { type LoweredTool, loweredTools, type ToolSchemaOptions } from './lowered-tools.ts'
import { openForCaller } from './open-config.ts'
import type { OpenOptions } from './open-options.ts'
import type { OpenedConfig } from './opened-config.ts'
import { configFaults, filled, masked, schemaForEditors, shownConfig } from './own-config.ts'
import { type RequestOptions, type RequestStream, requestStream } from './request-stream.ts'
import { type Result, successOf } from './result.ts'
import { type UiSchemaOptions, type UiViewOptions, uiSchema, uiView } from './settings/ui-schema.ts'
import type { PluginTool } from './tools/shown-tools.ts'
import type { Inventory, InventoryOptions } from './tools/tool-inventory.ts'

/** A layer over the host's own config. */
type Asked = ConfigLayer | undefined

/** Registered plugins and the methods that use them. Call `close` at the end, or declare it with `await using`. */
export class Host implements AsyncDisposable {
  /** The version of the package that made the host. `run` and `createServer` refuse a host of another version. */
  readonly version: string = VERSION
  /** Aborts when the host closes. @internal */
  readonly closing: AbortSignal
  readonly #core: HostCore
  #closed: Promise<void> | undefined

  /** Use {@link createHost}. */
  constructor(core: HostCore) {
    this.#core = core
    this.closing = core.closing.signal
  }

  /** The config of `createHost`: the lowest layer of every request. */
  get config(): Config {
    return this.#core.config
  }

  /** The registered plugins in order. Until a plugin's module has been loaded, this shows its manifest; see `load`. */
  get plugins(): readonly AnyPlugin[] {
    return this.#core.registry.plugins
  }

  /** The problems found while plugins were loaded. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#core.registry.diagnostics
  }

  /** Loads the modules of all registered plugins. Without it, a module is loaded when a config first needs it. */
  load(): Promise<void> {
    return this.#core.registry.loadAll()
  }

  /** Returns a host whose plugins use another storage. `make` learns whether a program gave the one so far. */
  withStorage(make: (storage: PluginStorages, isGiven: boolean) => PluginStorages): Host {
    return new Host(coreWithStorage(this.#core, make))
  }

  /** Returns a host with the same plugins, whose hooks see a caller, and store for it. Closing either closes both. */
  withCaller(given: Caller): Host {
    const caller = checkedCaller(given)
    return new Host({ ...this.#core, caller, storage: storagesOf(this.#core.storage, caller) })
  }

  /** Copies a value and masks the secrets of the host's config and of recent requests in its texts. */
  maskTexts<T>(value: T): T {
    return mapTexts(value, outputMask(this.#core.secrets, this.#core.config)) as T
  }

  /** Copies a config, with `{"$secret": true}` for settings that plugins mark, and for values of variables. */
  masked(config: ConfigLayer): ConfigLayer {
    return masked(this.#core, config)
  }

  /** Fills in each `${env:NAME}` of a layer. Without an owner, which ENV_MISSING names, those of unset variables stay. */
  filled(layer: ConfigLayer, owner?: string): ConfigLayer {
    return filled(this.#core, layer, owner)
  }

  /** The host's effective config: values from environment variables filled in, secrets as `{"$secret": true}`. */
  shownConfig(): Promise<ConfigLayer> {
    return shownConfig(this.#core)
  }

  /** Checks the settings of the host's config, for all plugins; or those of a config, for the plugins that are on. */
  settingsFaults(config?: ConfigLayer): Promise<readonly HostError[]> {
    return configFaults(this.#core, config)
  }

  /** The JSON Schema of a config, for editors. It includes the settings of all registered plugins. */
  editorSchema(): Promise<ReturnType<typeof editorSchema>> {
    return schemaForEditors(this.#core)
  }

  /** Works out which plugins are on for a config. The trace gives the reason for each. */
  async resolve(config?: ConfigLayer): Promise<Resolution> {
    return (await resolveFor(this.#core, configFor(this.#core, config))).resolution
  }

  /** Explains why each registered plugin is on or off, with the smallest change of the config that turns it on. */
  async explain(
    config?: ConfigLayer,
    options: { readonly plugin?: string } = {},
  ): Promise<readonly Explanation[]> {
    const { registry, secrets, variables } = this.#core
    // Only the loaded plugin itself can say which change would turn it on.
    await registry.loadAll(options.plugin)
    const merged = secrets.fill(configFor(this.#core, config), variables)
    const asked = { ...resolveOptions(this.#core, merged), ...options }
    const explained = explain(registry.plugins, merged, asked)
    return maskResolutionErrors(this.#core, merged, explained)
  }

  /** The tools on offer for a config, under the names that the model sees, with the plugins' own schemas. */
  async toolSchemas(config?: ConfigLayer): Promise<readonly PluginTool[]>
  /** The same in a model API's format, with a list of the parts of each schema that the format cannot express. */
  async toolSchemas(config: Asked, options: ToolSchemaOptions): Promise<readonly LoweredTool[]>
  /** Every registered tool, offered or not, with the reason. LT-08 */
  async toolSchemas(config: Asked, options: InventoryOptions): Promise<Inventory>
  async toolSchemas(
    config?: ConfigLayer,
    options?: ToolSchemaOptions | InventoryOptions,
  ): Promise<readonly PluginTool[] | Inventory> {
    const merged = configFor(this.#core, config)
    if (!options) return toolSchemas(this.#core, merged)
    if ('inventory' in options) return toolInventory(this.#core, merged)
    return loweredTools(this.#core, merged, options)
  }

  /** The settings for a config as a document that any form can show: schema, layout, values and sections. */
  uiSchema(config?: ConfigLayer, options?: UiSchemaOptions): Promise<SettingsDocument>
  /** The settings for a config in another form format. */
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
   * Sends a request and waits for the whole answer.
   * @throws {HostError} on any failure; `partial` has the messages that had arrived
   */
  async send(
    config: ConfigLayer,
    messages: MessagesInput,
    options: RequestOptions = {},
  ): Promise<Result> {
    const stream = requestStream(this.#core, 'send', { config, messages, options })
    const reader = stream[Symbol.asyncIterator]()
    // Reading begins at once. Awaiting `result` alone would first wait one turn of the event loop for a reader.
    while (!(await reader.next()).done);
    return successOf(await stream.result)
  }

  /** Sends a request and streams its events. Never throws: the stream ends in exactly one finish, error or abort. */
  stream(
    config: ConfigLayer,
    messages: MessagesInput,
    options: RequestOptions = {},
  ): RequestStream {
    return requestStream(this.#core, 'stream', { config, messages, options })
  }

  /** Builds the native request and the state as they are just before the provider would send them. */
  async dryRun<O extends DryRunOptions>(config: ConfigLayer, messages: MessagesInput, options?: O) {
    return dryRun<O>(this.#core, configFor(this.#core, config), messages, options)
  }

  /**
   * Opens a config once for several requests with the same tools. Call `end` on it, or declare it with `using`.
   * @throws {HostError} CONFIG_INVALID, SETTINGS_INVALID, TOOL_NAME_TAKEN, and the errors of `resolve`
   */
  async open(config?: ConfigLayer, options: OpenOptions = {}): Promise<OpenedConfig> {
    return openForCaller(this.#core, config, options)
  }

  /** Asks the provider's API for its models. The host remembers them for an hour. */
  async refreshModels(config?: ConfigLayer): Promise<readonly string[]> {
    return refreshModels(this.#core, configFor(this.#core, config))
  }

  /** The provider's facts about a model (context window, prices, …). The default is the model of the config. */
  async modelInfo(config?: ConfigLayer, id?: string): Promise<ModelInfo> {
    return modelInfo(this.#core, configFor(this.#core, config), id)
  }

  /** Turns texts, or lists of token ids, into vectors, by the model of the config. */
  async embed(config: Asked, inputs: EmbedInputs, options?: EmbedOptions): Promise<Embedded> {
    return embed(this.#core, configFor(this.#core, config), { inputs, ...options })
  }

  /**
   * Runs an action of a plugin that is on for the config: one that the plugin lists, if it lists any, with its input.
   * @throws {HostError} PLUGIN_UNKNOWN, PLUGIN_OFF, SETTINGS_INVALID, OPTION_INVALID, and the errors of the action
   */
  async runAction(...[plugin, id, input, config, options]: ActionArguments): Promise<unknown> {
    return runAction(this.#core, configFor(this.#core, config), { plugin, id, input, ...options })
  }

  /** Cancels everything in progress and closes every plugin. Safe to call twice. */
  close(): Promise<void> {
    this.#core.closing.close('the host was closed')
    this.#closed ??= closePlugins(this.#core)
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
