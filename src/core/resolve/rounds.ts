import type { Config, EnablementContext, Kind } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { FrozenSet } from '../frozen-set.ts'
import { hasHook, readTexts } from '../hooks/index.ts'
import { askHook } from './ask-hook.ts'
import type { Rule } from './resolution.ts'

/** A candidate in the rounds. */
export interface Candidate {
  readonly plugin: AnyPlugin
  readonly config: Config
  readonly isForced: boolean
  readonly provided: readonly string[]
  readonly required: readonly string[]
  readonly forbids: readonly string[]
  on: boolean
  /** Whether the next round must judge it again. */
  isDue: boolean
  /** The last round that judged it. */
  round: number
  rule: Rule
  missing: readonly string[]
  forbidden: readonly string[]
}

/** The values that are the same for every plugin and every round. */
export interface RoundsInput {
  readonly config: Config
  readonly models: readonly string[]
  readonly providerTags: readonly string[]
}

export interface RoundsResult {
  readonly rounds: number
  readonly tags: ReadonlySet<string>
}

export type Tags = readonly string[]

export const NO_TAGS: Tags = Object.freeze([])

export function entryOf(
  plugin: AnyPlugin,
  config: Config,
  isForced: boolean,
  provided: readonly string[],
): Candidate {
  return {
    plugin,
    config,
    isForced,
    provided,
    required: readTexts(plugin, 'requiredTags') ?? NO_TAGS,
    forbids: readTexts(plugin, 'forbiddenTags') ?? NO_TAGS,
    on: true,
    isDue: false,
    round: 0,
    rule: isForced ? 'forced' : 'tags',
    missing: NO_TAGS,
    forbidden: NO_TAGS,
  }
}

/**
 * Judges the plugins in rounds until a round removes none (CL-10 to CL-12). The rules judge every plugin in every
 * round. This function keeps a worklist instead: because plugins are only ever removed, the result for a plugin without
 * a verdict of its own can change only when a tag that it requires disappears. The rounds and results are the same.
 */
export async function runRounds(
  entries: readonly Candidate[],
  input: RoundsInput,
): Promise<RoundsResult> {
  const tags = tagUses(entries, input.providerTags)
  const askers = entries.filter(isAsker)
  let due: readonly Candidate[] = entries.filter((entry) => !isAsker(entry))
  for (let round = 1; ; round++) {
    const dropped = due.filter((entry) => !staysByTags(entry, round, tags))
    if (askers.length > 0) {
      const asked = askers.filter((entry) => entry.on)
      dropped.push(...(await askRound(asked, { round, tags, entries, input })))
    }
    if (dropped.length === 0) return finish(entries, round, tags)
    due = drop(dropped, tags)
  }
}

/** Whether a plugin has a verdict of its own. A forced plugin is not even asked. CL-08 */
function isAsker({ isForced, plugin }: Candidate): boolean {
  return !isForced && hasHook(plugin, 'isEnabled')
}

/** The plugins that provide and require a tag. A tag without providers is gone. CL-04 */
interface TagUse {
  providers: number
  /** The plugins that require the tag and have no verdict of their own. */
  readonly dependents: Candidate[]
}
type TagUses = Map<string, TagUse>

function tagUses(entries: readonly Candidate[], providerTags: readonly string[]): TagUses {
  const uses: TagUses = new Map()
  for (const tag of providerTags) useOf(uses, tag).providers++
  for (const entry of entries) {
    for (const tag of entry.provided) useOf(uses, tag).providers++
    if (entry.isForced || isAsker(entry)) continue
    for (const tag of entry.required) useOf(uses, tag).dependents.push(entry)
  }
  return uses
}

function useOf(uses: TagUses, tag: string): TagUse {
  const known = uses.get(tag)
  if (known) return known
  const use: TagUse = { providers: 0, dependents: [] }
  uses.set(tag, use)
  return use
}

function isPresent(uses: TagUses, tag: string): boolean {
  return (uses.get(tag)?.providers ?? 0) > 0
}

function presentTags(uses: TagUses): ReadonlySet<string> {
  const present: string[] = []
  for (const [tag, { providers }] of uses) if (providers > 0) present.push(tag)
  return new FrozenSet(present)
}

/** Removes plugins. Returns those without a verdict of their own that must be judged again, each once. */
function drop(dropped: readonly Candidate[], uses: TagUses): readonly Candidate[] {
  for (const entry of dropped) entry.on = false
  const due: Candidate[] = []
  for (const { provided } of dropped) {
    for (const tag of provided) releaseTag(useOf(uses, tag), due)
  }
  return due
}

/** Removes one provider of a tag. If it was the last, the plugins that require the tag must be judged again. */
function releaseTag(use: TagUse, due: Candidate[]): void {
  use.providers--
  if (use.providers > 0) return
  for (const entry of use.dependents) {
    if (!entry.on || entry.isDue) continue
    entry.isDue = true
    due.push(entry)
  }
}

interface Round {
  readonly round: number
  readonly tags: TagUses
  readonly entries: readonly Candidate[]
  readonly input: RoundsInput
}

/** Asks each plugin for its own verdict, all with the same tags and context. Returns those to remove. CL-10 */
async function askRound(
  asked: readonly Candidate[],
  { round, tags, entries, input }: Round,
): Promise<Candidate[]> {
  const shown = presentTags(tags)
  const context = contextOf(entries, input.config)
  const dropped: Candidate[] = []
  for (const entry of asked) {
    const args: [Config, ...unknown[]] = [entry.config, shown, input.models, context]
    const answer = askHook(entry.plugin, 'isEnabled', args, input.config)
    const verdict = answer instanceof Promise ? await answer : answer
    if (!stays(entry, round, tags, verdict)) dropped.push(entry)
  }
  return dropped
}

/** Whether a plugin stays on: by its own verdict, else by its tags. CL-05, CL-07 */
function stays(entry: Candidate, round: number, tags: TagUses, verdict?: boolean): boolean {
  if (verdict === undefined) return staysByTags(entry, round, tags)
  entry.round = round
  entry.rule = 'own verdict'
  return verdict
}

/** Whether all required tags are present and all forbidden tags are absent. CL-05 */
function staysByTags(entry: Candidate, round: number, uses: TagUses): boolean {
  entry.round = round
  entry.isDue = false
  if (entry.isForced) return true
  const { required, forbids } = entry
  const isMissing = required.some((tag) => !isPresent(uses, tag))
  const isForbidden = forbids.some((tag) => isPresent(uses, tag))
  if (!isMissing && !isForbidden) {
    entry.rule = 'tags'
    return true
  }
  entry.missing = required.filter((tag) => !isPresent(uses, tag))
  entry.forbidden = forbids.filter((tag) => isPresent(uses, tag))
  entry.rule = isMissing ? 'missing tags' : 'forbidden tags'
  return false
}

/** The names of the plugins of a kind that are still on. */
export function namesOn(entries: readonly Candidate[], kind: Kind): readonly string[] {
  return Object.freeze(
    entries
      .filter((entry) => entry.on && entry.plugin.kind === kind)
      .map((entry) => entry.plugin.name),
  )
}

/** The names of the plugins that are on at the start of the round. CL-09 */
function contextOf(entries: readonly Candidate[], config: Config): EnablementContext {
  return Object.freeze({
    enabled_plugin_ids: Object.freeze({
      extensions: namesOn(entries, 'extension'),
      features: namesOn(entries, 'feature'),
      tools: namesOn(entries, 'tool'),
    }),
    disabled_plugins: Object.freeze([...(config.disabled_plugins ?? [])]),
    force_enabled_plugins: Object.freeze([...(config.force_enabled_plugins ?? [])]),
  })
}

function finish(entries: readonly Candidate[], rounds: number, tags: TagUses): RoundsResult {
  for (const entry of entries) if (entry.on) entry.round = rounds
  return { rounds, tags: presentTags(tags) }
}
