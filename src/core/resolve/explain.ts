import { type Config, HostError, type Kind } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { readValue } from '../hooks/index.ts'
import { didYouMean } from '../suggest.ts'
import { type Edit, findChanges } from './change.ts'
import type { ResolveOptions, Rule, TraceEntry } from './resolution.ts'
import { type Resolved, resolve } from './resolve.ts'
import { askForTags, type TagQuestion } from './tags.ts'

/** A tag that a plugin requires or forbids, in the round that judged the plugin. */
export interface ExplainedTag {
  readonly tag: string
  readonly need: 'required' | 'forbidden'
  readonly present: boolean
  /** The plugins that provided the tag and were on at the start of that round. */
  readonly providedBy: readonly string[]
  /** The plugins that would provide the tag, but were off by then. */
  readonly wouldBeProvidedBy: readonly string[]
}

/** The reason why one plugin is on or off. */
export interface Explanation {
  readonly plugin: string
  readonly kind: Kind
  readonly on: boolean
  readonly round: number
  readonly rule: Rule
  readonly tags: readonly ExplainedTag[]
  /** All smallest sets of edits that turn the plugin on. Null if there are none, or the plugin is on. */
  readonly change: readonly (readonly Edit[])[] | null
  /** False if the search for a change was given up before its end. */
  readonly searched?: false
}

export interface ExplainOptions extends ResolveOptions {
  /** Explains only this plugin. */
  readonly plugin?: string
}

/**
 * Explains every registered plugin: whether it is on, the round, the rule, the tags and the smallest change.
 * @throws {HostError} PLUGIN_UNKNOWN, and the errors of `resolve`
 */
export async function explain(
  plugins: readonly AnyPlugin[],
  config: Config,
  options: ExplainOptions = {},
): Promise<readonly Explanation[]> {
  if (options.plugin !== undefined) assertKnown(plugins, options.plugin)
  const resolved = await resolve(plugins, config, options)
  const providers = await whoProvides(plugins, resolved, options)
  const shown = resolved.resolution.trace.filter(
    (entry) => options.plugin === undefined || entry.plugin === options.plugin,
  )
  const off = shown.filter(canTurnOn).map((entry) => entry.plugin)
  const { resolution } = resolved
  const { found, isComplete } = await findChanges({ plugins, config, resolution, off, options })
  return shown.map((entry) => {
    const plugin = plugins.find((candidate) => candidate.name === entry.plugin)
    const tags = plugin ? explainTags(plugin, entry, resolved.resolution.trace, providers) : []
    const { missing: _, forbidden: __, ...judged } = entry
    const change = found.get(entry.plugin) ?? null
    const isGivenUp = canTurnOn(entry) && change === null && !isComplete
    return { ...judged, tags, change, ...(isGivenUp ? { searched: false as const } : {}) }
  })
}

/** Whether an edit may turn the plugin on. No edit changes the provider, or the `providers` of an extension. */
function canTurnOn({ on, rule }: TraceEntry): boolean {
  return !on && rule !== 'other provider'
}

function assertKnown(plugins: readonly AnyPlugin[], name: string): void {
  const names = plugins.map((plugin) => plugin.name)
  if (names.includes(name)) return
  throw new HostError(
    'PLUGIN_UNKNOWN',
    `No plugin "${name}" is registered.${didYouMean(name, names)}`,
  )
}

/** For each tag, the plugins that provide it for this config, whether they are on or off. */
async function whoProvides(
  plugins: readonly AnyPlugin[],
  { tagsOf, config, resolution }: Resolved,
  { configOf }: ResolveOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const providers = new Map<string, string[]>()
  for (const plugin of plugins) {
    const isOtherProvider = plugin.kind === 'provider' && plugin.name !== resolution.provider
    const hasThrown = resolution.trace.some(
      (at) => at.plugin === plugin.name && at.rule === 'threw',
    )
    if (isOtherProvider || hasThrown) continue
    const view = configOf?.(config, plugin) ?? config
    const question = { config, models: resolution.models }
    const tags = tagsOf(plugin) ?? (await tagsOrNone(plugin, view, question))
    for (const tag of tags) providers.set(tag, [...(providers.get(tag) ?? []), plugin.name])
  }
  return providers
}

/** The tags of a plugin that is not a candidate. None if it throws an error. */
async function tagsOrNone(
  plugin: AnyPlugin,
  view: Config,
  question: Pick<TagQuestion, 'config' | 'models'>,
): Promise<readonly string[]> {
  try {
    return await askForTags(plugin, view, question)
  } catch {
    return []
  }
}

function explainTags(
  plugin: AnyPlugin,
  judged: TraceEntry,
  trace: readonly TraceEntry[],
  providers: ReadonlyMap<string, readonly string[]>,
): ExplainedTag[] {
  // A plugin that was never judged is compared with the last round.
  const round = judged.round || Math.max(...trace.map((entry) => entry.round))
  const wasOn = new Map(trace.map((entry) => [entry.plugin, entry.on || entry.round >= round]))
  const explainTag = (tag: string, need: ExplainedTag['need']): ExplainedTag => {
    const all = providers.get(tag) ?? []
    const providedBy = all.filter((name) => wasOn.get(name))
    const wouldBeProvidedBy = all.filter((name) => !wasOn.get(name))
    return { tag, need, present: providedBy.length > 0, providedBy, wouldBeProvidedBy }
  }
  return [
    ...tagList(plugin, 'requiredTags').map((tag) => explainTag(tag, 'required')),
    ...tagList(plugin, 'forbiddenTags').map((tag) => explainTag(tag, 'forbidden')),
  ]
}

function tagList(plugin: AnyPlugin, name: string): readonly string[] {
  try {
    const tags = readValue(plugin, name)
    return Array.isArray(tags) ? tags : []
  } catch {
    return []
  }
}
