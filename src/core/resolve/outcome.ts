import type { Config, Diagnostic, HostError, Kind } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { EnabledPlugins, Resolution, Rule, TraceEntry } from './resolution.ts'
import { type Candidate, NO_TAGS, namesOn, type Tags } from './rounds.ts'

/** The plugins that are still on after the rounds, in order. */
export function enabledPlugins(provider: AnyPlugin, entries: readonly Candidate[]): EnabledPlugins {
  const on = entries.filter((entry) => entry.on).map((entry) => entry.plugin)
  return {
    provider,
    extensions: ofKind(on, 'extension'),
    features: ofKind(on, 'feature'),
    tools: ofKind(on, 'tool'),
  }
}

export function ofKind(plugins: readonly AnyPlugin[], kind: Kind): readonly AnyPlugin[] {
  return plugins.filter((plugin) => plugin.kind === kind)
}

/** The outcome of the rounds. */
export interface Settled {
  readonly plugins: readonly AnyPlugin[]
  readonly provider: AnyPlugin
  readonly providerTags: Tags
  readonly config: Config
  readonly models: readonly string[]
  readonly tags: ReadonlySet<string>
  readonly rounds: number
  readonly entries: readonly Candidate[]
  /** The rule that kept each other plugin from being a candidate. */
  readonly kept: ReadonlyMap<AnyPlugin, Rule>
  readonly enabled: EnabledPlugins
  /** The plugins that are off because one of their hooks threw an error. */
  readonly threw: ReadonlyMap<AnyPlugin, HostError>
}

/** Converts the outcome to a frozen resolution. */
export function freezeResolution(outcome: Settled, diagnostics: readonly Diagnostic[]): Resolution {
  const { provider, config, models, tags, rounds, entries } = outcome
  return Object.freeze({
    provider: provider.name,
    ...(config.model === undefined ? {} : { model: config.model }),
    models,
    tags: Object.freeze([...tags].sort()),
    enabled: Object.freeze({
      extensions: namesOn(entries, 'extension'),
      features: namesOn(entries, 'feature'),
      tools: namesOn(entries, 'tool'),
    }),
    rounds,
    trace: Object.freeze(traceOf(outcome)),
    diagnostics,
  })
}

/** The trace: an entry for each registered plugin that is wanted, in registration order. */
export function traceOf(
  { plugins, provider, rounds, entries, kept }: Settled,
  isWanted = (_plugin: AnyPlugin, _isOn: boolean) => true,
): readonly TraceEntry[] {
  // Candidates are in registration order too, so one pass over both lists is enough.
  let next = 0
  const trace: TraceEntry[] = []
  for (const plugin of plugins) {
    const entry = entries[next]?.plugin === plugin ? entries[next++] : undefined
    const on = entry?.on ?? plugin === provider
    if (!isWanted(plugin, on)) continue
    const rule = on ? 'provider' : (kept.get(plugin) ?? 'other provider')
    trace.push(traceEntry(plugin, entry ?? { on, rule, round: on ? rounds : 0 }))
  }
  return trace
}

type Judged = Pick<Candidate, 'on' | 'round' | 'rule'> &
  Partial<Pick<Candidate, 'missing' | 'forbidden'>>

/** A literal of one shape instead of a spread: resolutions are frequent, and freezing mixed shapes is slow. */
function traceEntry({ name, kind }: AnyPlugin, judged: Judged): TraceEntry {
  const { on, round, rule } = judged
  const missing = frozen(judged.missing)
  const forbidden = frozen(judged.forbidden)
  return Object.freeze({ plugin: name, kind, on, round, rule, missing, forbidden })
}

function frozen(tags: Tags = NO_TAGS): Tags {
  return tags.length === 0 ? NO_TAGS : Object.freeze(tags)
}
