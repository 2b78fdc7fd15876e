import { type Config, type Diagnostic, HostError, isObject } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Secrets } from '../config/index.ts'
import type { Description, Descriptions } from '../forms/index.ts'
import {
  checkPlugin,
  isUnloaded,
  type Loaded,
  type LoadOptions,
  loaderOf,
  originOf,
  type PythonLoader,
  programFolders,
  readPlugins,
} from '../load/index.ts'
import { chooseProvider, selectCandidates } from '../resolve/index.ts'

/** The plugins of a host. A plugin that has a manifest is loaded when a config first needs it. */
export class Registry {
  #plugins: readonly AnyPlugin[]
  #byName: ReadonlyMap<string, AnyPlugin> | undefined
  #diagnostics: readonly Diagnostic[]
  readonly #secrets: Secrets | undefined
  readonly #onDiagnostic: (diagnostic: Diagnostic) => void
  readonly #failures = new Map<string, Diagnostic>()
  readonly #loading = new Map<AnyPlugin, Promise<void>>()
  #isWhole: boolean
  /** The manifests of plugins, loaded or not. */
  readonly descriptions: Descriptions

  /** Use {@link Registry.of}. */
  private constructor(
    { plugins, diagnostics }: Registered,
    { secrets, onDiagnostic = () => undefined }: RegistryOptions,
  ) {
    this.#plugins = plugins
    this.#diagnostics = diagnostics
    this.#secrets = secrets
    this.#onDiagnostic = onDiagnostic
    this.descriptions = new Map(
      plugins.filter(isUnloaded).map((plugin) => [plugin.name, describedBy(plugin)]),
    )
    for (const plugin of plugins) {
      if (loaderOf(plugin)) secrets?.hide(plugin.name)
      else secrets?.learn(plugin)
    }
    this.#isWhole = plugins.every((plugin) => !loaderOf(plugin))
    diagnostics.forEach(onDiagnostic)
  }

  /** Registers plugin objects, names and paths. An entry that cannot be used becomes a diagnostic, never an error. */
  static async of(given: readonly unknown[], options: RegistryOptions = {}): Promise<Registry> {
    const { python, from } = options
    const places = [...(from === undefined ? [] : [from]), ...programFolders()]
    const each = await Promise.all(
      given.map((item, index) => readGiven(item, index, { python, from, places })),
    )
    const { plugins, diagnostics } = registered(each.flat())
    const { diagnostics: known = [] } = options
    return new Registry({ plugins, diagnostics: [...known, ...diagnostics] }, options)
  }

  /** The plugins in registration order, with unique names. Until a plugin is loaded, its manifest stands in for it. */
  get plugins(): readonly AnyPlugin[] {
    return this.#plugins
  }

  /** The plugin with a name. */
  named(name: string): AnyPlugin | undefined {
    this.#byName ??= new Map(this.#plugins.map((plugin) => [plugin.name, plugin]))
    return this.#byName.get(name)
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics
  }

  /** The diagnostic for a plugin that has a manifest but could not be loaded. */
  failureOf(plugin: string): Diagnostic | undefined {
    return this.#failures.get(plugin)
  }

  /** Whether every plugin is loaded. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Loads the provider of a config and the plugins that may be on for it. */
  async loadFor(config: Config): Promise<void> {
    if (!this.#isWhole) await this.#load(wantedFor(this.#plugins, config))
  }

  /** Loads all plugins. @throws {HostError} the reason why the needed one could not be loaded */
  async loadAll(needed = ''): Promise<void> {
    if (!this.#isWhole) await this.#load(this.#plugins)
    const failure = this.failureOf(needed)
    if (failure) throw new HostError(failure.code, failure.message, { plugin: needed })
  }

  /** Waits until the plugins that are being loaded at the moment are loaded. */
  async settled(): Promise<void> {
    await Promise.all(this.#loading.values())
  }

  async #load(plugins: readonly AnyPlugin[]): Promise<void> {
    await Promise.all(plugins.flatMap((plugin) => this.#loadOne(plugin) ?? []))
    this.#isWhole = this.#plugins.every((plugin) => !loaderOf(plugin))
  }

  #loadOne(unloaded: AnyPlugin): Promise<void> | undefined {
    const load = loaderOf(unloaded)
    if (!load) return undefined
    const known = this.#loading.get(unloaded)
    const loading = known ?? load().then((loaded) => this.#replace(unloaded, loaded))
    this.#loading.set(unloaded, loading)
    return loading
  }

  #replace(unloaded: AnyPlugin, { plugin, diagnostics }: Loaded): void {
    if (plugin) this.#secrets?.learn(plugin)
    const [first] = diagnostics
    if (!plugin && first) this.#failures.set(unloaded.name, first)
    this.#diagnostics = [...this.#diagnostics, ...diagnostics]
    diagnostics.forEach(this.#onDiagnostic)
    this.#byName = undefined
    this.#plugins = this.#plugins.flatMap((one) => (one === unloaded ? (plugin ?? []) : one))
  }
}

function describedBy({ title, description, 'x-i18n': words }: AnyPlugin): Description {
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(words) ? { 'x-i18n': words } : {}),
  }
}

interface RegistryOptions {
  readonly python?: PythonLoader
  /** The folder that paths start from, and in which names are searched first. */
  readonly from?: string | undefined
  /** Receives the plugins. A plugin that is loaded later is passed to it before any other code sees the plugin. */
  readonly secrets?: Secrets
  /** Called with each diagnostic as it is found. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Diagnostics that do not depend on the plugins. */
  readonly diagnostics?: readonly Diagnostic[]
}

/** The provider and the candidates of a config, judged by their manifests. */
function wantedFor(plugins: readonly AnyPlugin[], config: Config): readonly AnyPlugin[] {
  try {
    const provider = chooseProvider(plugins, config)
    return [provider, ...selectCandidates(plugins, provider, config, new Map()).candidates]
  } catch {
    // Resolution reports the fault in the choice of the provider.
    return []
  }
}

interface Registered {
  readonly plugins: readonly AnyPlugin[]
  readonly diagnostics: readonly Diagnostic[]
}

function registered(each: readonly Given[]): Registered {
  const plugins = new Map<string, AnyPlugin>()
  const origins = new Map<AnyPlugin, Pick<Given, 'entry' | 'from'>>()
  const diagnostics: Diagnostic[] = []
  for (const { value, entry, from, diagnostics: found } of each) {
    diagnostics.push(...found)
    if (value === undefined) continue
    // A manifest was checked when it was read, and the plugin itself is checked when it is loaded.
    const checked = isUnloaded(value)
      ? { plugin: value, diagnostics: [] }
      : checkPlugin(value, from)
    diagnostics.push(...checked.diagnostics)
    const { plugin } = checked
    const other = plugin && plugins.get(plugin.name)
    if (!plugin) continue
    if (!other) {
      plugins.set(plugin.name, plugin)
      origins.set(plugin, { entry, from })
      continue
    }
    // Registering the same object or the same module twice is not a name conflict.
    const origin = origins.get(other)
    const isSame = other === plugin || (entry !== undefined && origin?.entry === entry)
    if (!isSame) diagnostics.push(nameTaken(plugin, from, origin?.from))
  }
  return { plugins: [...plugins.values()], diagnostics }
}

interface Given {
  readonly value?: unknown
  /** The path of its module, if it has one. */
  readonly entry?: string | undefined
  readonly from: string
  readonly diagnostics: readonly Diagnostic[]
}

async function readGiven(
  item: unknown,
  index: number,
  options: LoadOptions,
): Promise<readonly Given[]> {
  if (typeof item !== 'string' && !(item instanceof URL)) {
    const origin = originOf(item)
    const from = origin === undefined ? `plugins[${index}]` : `"${origin}"`
    return [{ value: item ?? null, from, diagnostics: [] }]
  }
  const read = await readPlugins(item, options)
  return read.map(({ plugin, ...rest }) => ({ ...rest, value: plugin, from: `"${String(item)}"` }))
}

function nameTaken({ kind, name }: AnyPlugin, from: string, taker = 'another'): Diagnostic {
  return {
    code: 'PLUGIN_NAME_TAKEN',
    level: 'error',
    plugin: name,
    message: `The ${kind} "${name}" from ${from} is off: ${taker} already has that name. Rename one of them, or leave one out.`,
  }
}
