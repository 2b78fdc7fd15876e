import { type Config, HostError, type Kind } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import {
  type Resolved,
  type ResolveOptions,
  type Rule,
  resolve,
  type TraceEntry,
} from '../resolve/index.ts'
import { didYouMean } from '../suggest.ts'
import { Attempts } from './attempts.ts'
import { chosenModel } from './choice.ts'
import { tagsIn } from './declared.ts'
import type { Offering } from './offers.ts'
import { type Changes, changesFor } from './search.ts'

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
export interface Explanation extends Changes {
  readonly plugin: string
  readonly kind: Kind
  readonly on: boolean
  readonly round: number
  readonly rule: Rule
  readonly tags: readonly ExplainedTag[]
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
  const attempts = new Attempts(plugins, config, options, resolved)
  const offering = await attempts.offers.at({ steps: [], choice: chosenModel(resolved) })
  const judgments = judgmentsOf(resolved, offering)
  const explanations: Explanation[] = []
  for (const [at, entry] of resolved.trace.entries()) {
    const plugin = plugins[at]
    if (!plugin || entry.plugin !== (options.plugin ?? entry.plugin)) continue
    const tags = explainTags(plugin, entry, judgments)
    const { missing: _, forbidden: __, ...judged } = entry
    const changes = entry.on ? { change: null } : await changesFor(plugin, attempts)
    explanations.push({ ...judged, tags, ...changes })
  }
  return explanations
}

function assertKnown(plugins: readonly AnyPlugin[], name: string): void {
  const names = plugins.map((plugin) => plugin.name)
  if (names.includes(name)) return
  throw new HostError(
    'PLUGIN_UNKNOWN',
    `No plugin "${name}" is registered.${didYouMean(name, names)}`,
  )
}

/** The verdicts of a resolution, and the plugins that provide each tag. */
interface Judgments {
  readonly rounds: number
  readonly entries: ReadonlyMap<string, TraceEntry>
  /** The plugins that provide a tag for this config, whether they are on or off, the provider first. */
  readonly providersOf: (tag: string) => readonly string[]
}

function judgmentsOf(resolved: Resolved, offering: Offering): Judgments {
  const { provider } = resolved.plugins
  const { providerTags: own, rounds } = resolved.settled
  return {
    rounds,
    entries: new Map(resolved.trace.map((entry) => [entry.plugin, entry])),
    providersOf: (tag) => {
      const plugins = [...(own.includes(tag) ? [provider] : []), ...offering.of(tag)]
      return plugins.map(({ name }) => name)
    },
  }
}

function explainTags(
  plugin: AnyPlugin,
  judged: TraceEntry,
  { rounds, entries, providersOf }: Judgments,
): ExplainedTag[] {
  // A plugin that was never judged is compared with the last round.
  const round = judged.round || rounds
  const wasOn = (name: string) => {
    const entry = entries.get(name)
    return entry !== undefined && (entry.on || entry.round >= round)
  }
  const explainTag = (tag: string, need: ExplainedTag['need']): ExplainedTag => {
    const all = providersOf(tag)
    const providedBy = all.filter(wasOn)
    const wouldBeProvidedBy = all.filter((name) => !wasOn(name))
    return { tag, need, present: providedBy.length > 0, providedBy, wouldBeProvidedBy }
  }
  return [
    ...tagsIn(plugin, ['requiredTags']).map((tag) => explainTag(tag, 'required')),
    ...tagsIn(plugin, ['forbiddenTags']).map((tag) => explainTag(tag, 'forbidden')),
  ]
}
