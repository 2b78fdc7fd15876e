import { setMaxListeners } from 'node:events'
import { type Diagnostic, HostError, messageOf, withPartial } from '../errors.ts'
import type { MessagesInput } from '../events/index.ts'
import { pythonLoader } from '../load/python-loader.ts'
import {
  bindHook,
  type Log,
  limitsOf,
  MemoryStorage,
  type ModelInfo,
  settle,
} from '../plugin/internal.ts'
import { type Explanation, explain, type Resolution } from '../resolve/index.ts'
import { checkConfig } from '../schema/check-config.ts'
import type { SettingsDocument, SettingsFormat, SettingsViews } from '../schema/form/index.ts'
import { type ConfigLayer, fillReferences, mergeLayers } from '../schema/layers.ts'
import { Secrets } from '../schema/secrets.ts'
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
import { checkOptions, type HostOptions } from './host-options.ts'
import { linkSignals } from './link-signals.ts'
import { type LoweredTool, loweredTools, type ToolSchemaOptions } from './lowered-tools.ts'
import { ModelCache } from './model-cache.ts'
import { type OpenedConfig, type OpenOptions, openConfig } from './opened-config.ts'
import { Registry } from './registry.ts'
import { type RequestOptions, type RequestStream, requestStream } from './request-stream.ts'
import type { Result } from './result.ts'
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
    cores.set(this, core)
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
    const { registry, secrets, environment } = this.#core
    // What would turn a plugin on is for the plugin itself to say.
    await registry.loadAll()
    const merged = secrets.fill(configFor(this.#core, config), environment)
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
    const core = this.#core
    const cancel = new AbortController()
    // Each of its calls may listen to it; Node would warn of a leak from the eleventh on.
    setMaxListeners(0, cancel.signal)
    const onEnd = linkSignals([options.signal, core.closing], cancel)
    const { signal } = cancel
    let opened: OpenedConfig | undefined
    try {
      const opening = { ...options, signal, onEnd }
      opened = await settle(openConfig(core, configFor(core, config), opening), { signal })
      await settle(opened.offer(), { signal })
      return opened
    } catch (error) {
      opened?.end()
      onEnd()
      throw error
    }
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

const cores = new WeakMap<Host, HostCore>()

/** What stands behind a host's doors, for the rooms above. */
export function coreOf(host: Host): HostCore {
  const core = cores.get(host)
  if (core) return core
  throw new TypeError('This is no host of this copy of braidwork; make one with createHost.')
}

/**
 * A host of plugins. What is wrong with one plugin is a diagnostic of every resolution, and that plugin
 * is off.
 * @throws {HostError} CONFIG_INVALID, ENV_MISSING, OPTION_INVALID
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { plugins: listed = [], log = () => undefined } = checkOptions(options)
  const given = checkConfig(options.config ?? {})
  const { config: layer, secrets: values } = fillReferences(given, process.env)
  const base = mergeLayers(layer)
  const secrets = new Secrets(values)
  let print = maskedLog({ log, secrets }, base)
  const python = pythonLoader({ ...options.python, log: (entry) => print(entry) })
  const references = [...listed, ...(base.plugins ?? [])]
  const onDiagnostic = (diagnostic: Diagnostic): void => logDiagnostic(diagnostic, print)
  const registry = await Registry.of(references, { python, secrets, onDiagnostic })
  const closing = new AbortController()
  // Each request listens to it; Node would warn of a leak from the eleventh on.
  setMaxListeners(0, closing.signal)
  const core: HostCore = {
    registry,
    config: base,
    environment: { ...process.env },
    secrets,
    storage: options.storage ?? new MemoryStorage(),
    models: new ModelCache(),
    log,
    protectedFiles: options.protectedFiles,
    closing: closing.signal,
  }
  // What is secret to the plugins themselves is known by now.
  print = maskedLog(core, core.config)
  return new Host(core, closing)
}

/** A program may never look at a resolution: what keeps a plugin off is in the log too. */
function logDiagnostic({ level, message, code, plugin }: Diagnostic, log: Log): void {
  if (level === 'info') return
  log({ level: level === 'error' ? level : 'warn', message, code, ...(plugin ? { plugin } : {}) })
}

function successOf(result: Result): Result {
  if (result.status === 'done') return result
  const { error = new HostError('PROVIDER_FAILED', 'The request failed.'), messages } = result
  throw withPartial(error, messages)
}
