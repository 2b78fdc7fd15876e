import type { Config, Diagnostic } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Secrets } from '../config/index.ts'
import type { Descriptions } from '../forms/index.ts'
import { checkPlugin } from '../hooks/index.ts'
import { isUnloaded, type Loaded, loaderOf, type PythonLoader, readPlugins } from '../load/index.ts'
import { chooseProvider, selectCandidates } from '../resolve/index.ts'

/** The plugins of a host. Those of which a manifest tells are loaded when a config first has a use for them. */
export class Registry {
  #plugins: readonly AnyPlugin[]
  #diagnostics: readonly Diagnostic[]
  readonly #secrets: Secrets | undefined
  readonly #onDiagnostic: (diagnostic: Diagnostic) => void
  readonly #failures = new Map<string, Diagnostic>()
  readonly #loading = new Map<AnyPlugin, Promise<void>>()
  #isWhole: boolean
  /** What manifests say of plugins, loaded or not. */
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

  /** Plugins out of objects, names and paths; what cannot be used is a diagnostic, never an error. */
  static async of(given: readonly unknown[], options: RegistryOptions = {}): Promise<Registry> {
    const each = await Promise.all(
      given.map((item, index) => readGiven(item, index, options.python)),
    )
    return new Registry(registered(each.flat()), options)
  }

  /** In registration order; names are unique. Of one that is not loaded yet, what its manifest says. */
  get plugins(): readonly AnyPlugin[] {
    return this.#plugins
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics
  }

  /** Why a plugin that a manifest tells of is not among them. */
  failureOf(plugin: string): Diagnostic | undefined {
    return this.#failures.get(plugin)
  }

  /** Whether there is nothing left to load for any config. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Loads the provider of a config and the plugins that may be on for it. */
  async loadFor(config: Config): Promise<void> {
    if (!this.#isWhole) await this.#load(wantedFor(this.#plugins, config))
  }

  /** Loads all. */
  async loadAll(): Promise<void> {
    if (!this.#isWhole) await this.#load(this.#plugins)
  }

  /** Waits for what is being loaded. */
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
    this.#plugins = this.#plugins.flatMap((one) => (one === unloaded ? (plugin ?? []) : one))
  }
}

function describedBy({ title, description }: AnyPlugin): { title?: string; description?: string } {
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}

interface RegistryOptions {
  readonly python?: PythonLoader
  /** Told of the plugins, and of those that are loaded later before anything else knows them. */
  readonly secrets?: Secrets
  /** Told of each diagnostic, when it is found. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** The provider and the candidates of a config, as far as manifests tell. */
function wantedFor(plugins: readonly AnyPlugin[], config: Config): readonly AnyPlugin[] {
  try {
    const provider = chooseProvider(plugins, config)
    return [provider, ...selectCandidates(plugins, provider, config, new Map()).candidates]
  } catch {
    // The resolution says what is wrong with the config's provider.
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
    // What a manifest says was checked when it was read, and the plugin is when it is loaded.
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
    // The same object, or the same module, twice is the same plugin.
    const origin = origins.get(other)
    const isSame = other === plugin || (entry !== undefined && origin?.entry === entry)
    if (!isSame) diagnostics.push(nameTaken(plugin, from, origin?.from))
  }
  return { plugins: [...plugins.values()], diagnostics }
}

interface Given {
  readonly value?: unknown
  /** The path of its module, where it has one. */
  readonly entry?: string | undefined
  readonly from: string
  readonly diagnostics: readonly Diagnostic[]
}

async function readGiven(
  item: unknown,
  index: number,
  python: PythonLoader | undefined,
): Promise<readonly Given[]> {
  if (typeof item !== 'string') {
    return [{ value: item ?? null, from: `plugins[${index}]`, diagnostics: [] }]
  }
  const read = await readPlugins(item, { python })
  return read.map(({ plugin, ...rest }) => ({ ...rest, value: plugin, from: `"${item}"` }))
}

function nameTaken({ kind, name }: AnyPlugin, from: string, taker = 'another'): Diagnostic {
  return {
    code: 'PLUGIN_NAME_TAKEN',
    level: 'error',
    plugin: name,
    message: `The ${kind} "${name}" from ${from} is off: ${taker} has that name already. Rename one of them, or leave one out.`,
  }
}
