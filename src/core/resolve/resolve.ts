import { type Config, type Diagnostic, HostError } from '@braidwork/plugin'
import { type AnyPlugin, asSentence, messageOf } from '@braidwork/plugin/internal'
import { chooseProvider, listDiagnostics, selectCandidates } from './candidates.ts'
import { modelDiagnostics, offeredModels } from './models.ts'
import { enabledPlugins, freezeResolution, ofKind, type Settled, traceOf } from './outcome.ts'
import type { EnabledPlugins, Resolution, ResolveOptions, TraceEntry } from './resolution.ts'
import { runRounds } from './rounds.ts'
import { askForTags, enterRounds } from './tags.ts'

/** A resolution with the plugins and values that a request needs. Its getters make what most requests never read. */
export class Resolved {
  readonly settled: Settled
  readonly plugins: EnabledPlugins
  /** The config with the model filled in. */
  readonly config: Config
  readonly tags: ReadonlySet<string>
  #resolution: Resolution | undefined
  #diagnostics: readonly Diagnostic[] | undefined

  constructor(settled: Settled) {
    this.settled = settled
    this.plugins = settled.enabled
    this.config = settled.config
    this.tags = settled.tags
  }

  get resolution(): Resolution {
    this.#resolution ??= freezeResolution(this.settled, this.diagnostics)
    return this.#resolution
  }

  /** Those of the resolution. Reading them here spares the rest of it. */
  get diagnostics(): readonly Diagnostic[] {
    const { plugins, provider, config, models, threw } = this.settled
    this.#diagnostics ??= Object.freeze([
      ...listDiagnostics(plugins, config),
      ...modelDiagnostics(config.model, models, provider.name),
      ...[...threw.values()].map(threwDiagnostic),
    ])
    return this.#diagnostics
  }

  /** The trace alone, of which `explain` makes thousands. */
  get trace(): readonly TraceEntry[] {
    return traceOf(this.settled)
  }

  /** The entries of the trace for the tool plugins that are off. */
  get toolsOff(): readonly TraceEntry[] {
    return traceOf(this.settled, ({ kind }, isOn) => kind === 'tool' && !isOn)
  }
}

/**
 * Works out which plugins take part for a config: rounds remove plugins until a round removes none.
 * @throws {HostError} PROVIDER_UNKNOWN, PROVIDER_MISSING, RESOLUTION_FAILED
 */
export async function resolve(
  plugins: readonly AnyPlugin[],
  config: Config,
  options: ResolveOptions = {},
): Promise<Resolved> {
  const provider = chooseProvider(plugins, config)
  const task: Task = { plugins, provider, given: config, options }
  const threw = new Map<AnyPlugin, HostError>()
  for (;;) {
    try {
      return await resolveWithout(threw, task)
    } catch (error) {
      // CL-18: resolve again without the plugin that threw, as if it had never been a candidate.
      const plugin = faultyPlugin(error, task)
      if (threw.has(plugin)) throw error
      threw.set(plugin, error as HostError)
    }
  }
}

/** The input of one resolution. */
interface Task {
  readonly plugins: readonly AnyPlugin[]
  readonly provider: AnyPlugin
  /** The config before the model is filled in. */
  readonly given: Config
  readonly options: ResolveOptions
}

function faultyPlugin(error: unknown, { plugins, provider }: Task): AnyPlugin {
  const name = HostError.is(error) ? error.plugin : undefined
  const plugin = plugins.find((candidate) => candidate.name === name)
  if (!plugin) throw error
  if (plugin !== provider) return plugin
  throw new HostError(
    'RESOLUTION_FAILED',
    `Provider "${plugin.name}" failed while the host resolved the plugins: ${messageOf(error)}`,
    {
      plugin: plugin.name,
      provider: plugin.name,
      phase: 'resolve',
      cause: error,
      ...(HostError.is(error) && error.hook !== undefined ? { hook: error.hook } : {}),
    },
  )
}

async function resolveWithout(threw: Settled['threw'], task: Task): Promise<Resolved> {
  const { plugins, provider, given } = task
  const { candidates, kept } = selectCandidates(plugins, provider, given, threw)
  const models = await modelsOf(task, candidates)
  const config =
    given.model === undefined && models[0] !== undefined ? { ...given, model: models[0] } : given

  const viewOf = viewsOf(task, config)
  const question = { config, viewOf, models }
  const providerTags = await askForTags(provider, viewOf(provider), question)
  const entries = await enterRounds(candidates, question)
  const { rounds, tags } = await runRounds(entries, { config, models, providerTags })

  // A literal of all members, because members that are added to a spread cost several times as much.
  return new Resolved({
    plugins,
    provider,
    providerTags,
    config,
    models,
    tags,
    rounds,
    entries,
    enabled: enabledPlugins(provider, entries),
    kept,
    threw,
  })
}

/** Returns the config as each plugin may see it. */
function viewsOf({ options: { configOf } }: Task, config: Config) {
  return (plugin: AnyPlugin) => configOf?.(config, plugin) ?? config
}

function modelsOf(task: Task, candidates: readonly AnyPlugin[]): Promise<readonly string[]> {
  const { provider, given, options } = task
  return offeredModels(given, {
    provider,
    others: [...ofKind(candidates, 'extension'), ...ofKind(candidates, 'feature')],
    known: options.knownModels?.(provider.name) ?? [],
    configOf: viewsOf(task, given),
  })
}

function threwDiagnostic(error: HostError): Diagnostic {
  return {
    code: 'PLUGIN_THREW',
    level: 'error',
    message: `${asSentence(error.message)} The plugin is off for this config.`,
    ...(error.plugin === undefined ? {} : { plugin: error.plugin }),
    ...(error.pointer === undefined ? {} : { pointer: error.pointer }),
  }
}
