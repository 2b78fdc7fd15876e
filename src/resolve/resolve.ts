import { type Diagnostic, HostError, messageOf } from '../errors.ts'
import type { AnyPlugin, Config, Kind } from '../plugin/internal.ts'
import { askHook } from './ask-hook.ts'
import { chooseProvider, idSetsOf, listDiagnostics, whyNoCandidate } from './candidates.ts'
import { modelDiagnostics, offeredModels } from './models.ts'
import type { EnabledPlugins, Resolution, ResolveOptions, Rule, TraceEntry } from './resolution.ts'
import { type Entry, entryOf, runRounds } from './rounds.ts'

/** A resolution with what a request needs beside its names. */
export interface Resolved {
  readonly resolution: Resolution
  readonly plugins: EnabledPlugins
  /** The config with the model filled in. */
  readonly config: Config
  readonly tags: ReadonlySet<string>
  /** The tags of the provider and of each candidate. */
  readonly provided: ReadonlyMap<string, readonly string[]>
}

/**
 * Which plugins take part for this config: drop what does not fit until nothing more drops.
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
      // CL-18: again without the one that threw, as if it had never been a candidate.
      threw.set(faultyPlugin(error, task), error as HostError)
    }
  }
}

/** What one resolution is for. */
interface Task {
  readonly plugins: readonly AnyPlugin[]
  readonly provider: AnyPlugin
  /** The config as it was given: a model may be filled in. */
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
    `Provider "${plugin.name}" failed while plugins were worked out: ${messageOf(error)}`,
    {
      plugin: plugin.name,
      provider: plugin.name,
      phase: 'resolve',
      cause: error,
      ...(HostError.is(error) && error.hook !== undefined ? { hook: error.hook } : {}),
    },
  )
}

type Threw = ReadonlyMap<AnyPlugin, HostError>

async function resolveWithout(threw: Threw, task: Task): Promise<Resolved> {
  const { plugins, provider, given } = task
  const { candidates, kept } = selectCandidates(threw, task)
  const models = await modelsOf(task, candidates)
  const config =
    given.model === undefined && models[0] !== undefined ? { ...given, model: models[0] } : given

  const viewOf = viewsOf(task, config)
  const providerTags = await tagsOf(provider, viewOf(provider), models)
  const entries = await enter(candidates, models, config, viewOf)
  const { rounds, tags } = await runRounds(entries, { config, models, providerTags })

  const diagnostics = [
    ...listDiagnostics(plugins, config),
    ...modelDiagnostics(config.model, models),
    ...[...threw.values()].map(threwDiagnostic),
  ]
  const trace = traceOf(task, rounds, entries, kept)
  const outcome = { config, models, tags, rounds, entries, trace, diagnostics }
  return {
    resolution: freeze({ provider: provider.name, ...outcome }),
    plugins: enabledPlugins(provider, entries),
    config,
    tags,
    provided: new Map([[provider.name, providerTags], ...entries.map(providedBy)]),
  }
}

type View = (plugin: AnyPlugin) => Config

/** The config as each plugin may see it. */
function viewsOf({ options: { configOf } }: Task, config: Config): View {
  return (plugin) => configOf?.(config, plugin) ?? config
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

/** The candidates as they enter the rounds: each is asked for its tags, once. CL-04 */
async function enter(
  candidates: readonly AnyPlugin[],
  models: readonly string[],
  config: Config,
  viewOf: View,
): Promise<readonly Entry[]> {
  const forced = new Set(config.force_enabled_plugins)
  const entries: Entry[] = []
  for (const plugin of candidates) {
    const view = viewOf(plugin)
    const answer = askTags(plugin, view, models)
    const tags = answer instanceof Promise ? await answer : answer
    entries.push(entryOf(plugin, view, forced.has(plugin.name), tags))
  }
  return entries
}

interface Selection {
  readonly candidates: readonly AnyPlugin[]
  /** Why the others are none. */
  readonly kept: ReadonlyMap<AnyPlugin, Rule>
}

function selectCandidates(threw: Threw, { plugins, provider, given }: Task): Selection {
  const ids = idSetsOf(given)
  const candidates: AnyPlugin[] = []
  const kept = new Map<AnyPlugin, Rule>()
  for (const plugin of plugins) {
    if (plugin.kind === 'provider') continue
    const rule = threw.has(plugin) ? 'threw' : whyNoCandidate(plugin, provider.name, ids)
    if (rule === undefined) candidates.push(plugin)
    else kept.set(plugin, rule)
  }
  return { candidates, kept }
}

const NO_TAGS: readonly string[] = Object.freeze([])

type Tags = readonly string[]

function askTags(
  plugin: AnyPlugin,
  config: Config,
  models: readonly string[],
): Tags | Promise<Tags> {
  return askHook(plugin, 'getTags', [config, models]) ?? NO_TAGS
}

/** The tags that a plugin provides for a config. */
export async function tagsOf(
  plugin: AnyPlugin,
  config: Config,
  models: readonly string[],
): Promise<Tags> {
  return askTags(plugin, config, models)
}

function providedBy({ plugin, provided }: Entry): [string, Tags] {
  return [plugin.name, provided]
}

function enabledPlugins(provider: AnyPlugin, entries: readonly Entry[]): EnabledPlugins {
  const on = entries.filter((entry) => entry.on).map((entry) => entry.plugin)
  return {
    provider,
    extensions: ofKind(on, 'extension'),
    features: ofKind(on, 'feature'),
    tools: ofKind(on, 'tool'),
  }
}

function ofKind(plugins: readonly AnyPlugin[], kind: Kind): readonly AnyPlugin[] {
  return plugins.filter((plugin) => plugin.kind === kind)
}

function threwDiagnostic(error: HostError): Diagnostic {
  return {
    code: 'PLUGIN_THREW',
    level: 'error',
    message: `${error.message}. The plugin is off for this config.`,
    ...(error.plugin === undefined ? {} : { plugin: error.plugin }),
  }
}

/** Each registered plugin, in registration order. */
function traceOf(
  { plugins, provider }: Task,
  rounds: number,
  entries: readonly Entry[],
  kept: ReadonlyMap<AnyPlugin, Rule>,
): readonly TraceEntry[] {
  const judged = new Map(entries.map((entry) => [entry.plugin, entry]))
  return plugins.map((plugin) => {
    const on = plugin === provider
    const rule = on ? 'provider' : (kept.get(plugin) ?? 'other provider')
    return traceEntry(plugin, judged.get(plugin) ?? { on, rule, round: on ? rounds : 0 })
  })
}

type Judged = Pick<Entry, 'on' | 'round' | 'rule'> & Partial<Pick<Entry, 'missing' | 'forbidden'>>

/** One literal of one shape, not a spread: resolutions are made often, and freezing mixed shapes is slow. */
function traceEntry({ name, kind }: AnyPlugin, judged: Judged): TraceEntry {
  const { on, round, rule } = judged
  const missing = frozen(judged.missing)
  const forbidden = frozen(judged.forbidden)
  return Object.freeze({ plugin: name, kind, on, round, rule, missing, forbidden })
}

function frozen(tags: Tags = NO_TAGS): Tags {
  return tags.length === 0 ? NO_TAGS : Object.freeze(tags)
}

interface Outcome {
  readonly provider: string
  readonly config: Config
  readonly models: readonly string[]
  readonly tags: ReadonlySet<string>
  readonly rounds: number
  readonly entries: readonly Entry[]
  readonly trace: readonly TraceEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

function freeze({
  provider,
  config,
  models,
  tags,
  rounds,
  entries,
  trace,
  diagnostics,
}: Outcome): Resolution {
  const names = (kind: Kind) =>
    Object.freeze(
      entries
        .filter((entry) => entry.on && entry.plugin.kind === kind)
        .map((entry) => entry.plugin.name),
    )
  return Object.freeze({
    provider,
    ...(config.model === undefined ? {} : { model: config.model }),
    models: Object.freeze([...models]),
    tags: Object.freeze([...tags].sort()),
    enabled: Object.freeze({
      extensions: names('extension'),
      features: names('feature'),
      tools: names('tool'),
    }),
    rounds,
    trace: Object.freeze(trace),
    diagnostics: Object.freeze(diagnostics),
  })
}
