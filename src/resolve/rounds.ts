import type { AnyPlugin, Config, EnablementContext, Kind } from '../plugin/internal.ts'
import { hasHook, readTexts } from '../plugin/internal.ts'
import { askHook } from './ask-hook.ts'
import type { Rule } from './resolution.ts'

/** A candidate on its way through the rounds. */
export interface Entry {
  readonly plugin: AnyPlugin
  readonly config: Config
  readonly isForced: boolean
  readonly provided: readonly string[]
  readonly required: readonly string[]
  readonly forbids: readonly string[]
  on: boolean
  /** The round that judged it last. */
  round: number
  rule: Rule
  missing: readonly string[]
  forbidden: readonly string[]
}

/** What is the same for every plugin and every round. */
export interface RoundsInput {
  readonly config: Config
  readonly models: readonly string[]
  readonly providerTags: readonly string[]
}

export interface RoundsResult {
  readonly rounds: number
  readonly tags: ReadonlySet<string>
}

const NONE: readonly string[] = Object.freeze([])

export function entryOf(
  plugin: AnyPlugin,
  config: Config,
  isForced: boolean,
  provided: readonly string[],
): Entry {
  return {
    plugin,
    config,
    isForced,
    provided,
    required: readTexts(plugin, 'requiredTags') ?? NONE,
    forbids: readTexts(plugin, 'forbiddenTags') ?? NONE,
    on: true,
    round: 0,
    rule: isForced ? 'forced' : 'tags',
    missing: NONE,
    forbidden: NONE,
  }
}

/**
 * The loop {tags, verdicts} until a round removes nothing (CL-10 to CL-12). Instead of judging everyone
 * in every round it keeps a worklist: the set only shrinks, so a plugin without a verdict of its own can
 * change its fate only when a tag that it requires has gone. Rounds and results are those of the loop
 * as the rules write it.
 */
export async function runRounds(
  entries: readonly Entry[],
  input: RoundsInput,
): Promise<RoundsResult> {
  const tags = countTags(entries, input.providerTags)
  const dependents = dependentsOf(entries)
  const askers = entries.filter(isAsker)
  let due: readonly Entry[] = entries.filter((entry) => !isAsker(entry))
  for (let round = 1; ; round++) {
    const dropped = due.filter((entry) => !staysByTags(entry, round, tags))
    const asked = askers.filter((entry) => entry.on)
    if (asked.length > 0) dropped.push(...(await askRound(asked, { round, tags, entries, input })))
    if (dropped.length === 0) return finish(entries, round, tags)
    due = drop(dropped, tags, dependents)
  }
}

/** Whether a plugin has a verdict of its own to give. CL-08: a forced one is not even asked. */
function isAsker({ isForced, plugin }: Entry): boolean {
  return !isForced && hasHook(plugin, 'isEnabled')
}

/** Takes plugins out; the plugins without a verdict of their own that must be judged again for it. */
function drop(
  dropped: readonly Entry[],
  tags: TagCounts,
  dependents: ReadonlyMap<string, readonly Entry[]>,
): readonly Entry[] {
  for (const entry of dropped) entry.on = false
  const due = new Set<Entry>()
  for (const { provided } of dropped) {
    for (const tag of provided) {
      if (!releaseTag(tags, tag)) continue
      for (const dependent of dependents.get(tag) ?? []) if (dependent.on) due.add(dependent)
    }
  }
  return [...due]
}

/** How many plugins provide each tag; one that nobody provides any more is gone. CL-04 */
type TagCounts = Map<string, number>

function countTags(entries: readonly Entry[], providerTags: readonly string[]): TagCounts {
  const counts: TagCounts = new Map()
  const count = (tag: string) => counts.set(tag, (counts.get(tag) ?? 0) + 1)
  providerTags.forEach(count)
  for (const entry of entries) entry.provided.forEach(count)
  return counts
}

/** Takes one provider of a tag away; true where it was the last. */
function releaseTag(counts: TagCounts, tag: string): boolean {
  const left = (counts.get(tag) ?? 0) - 1
  if (left > 0) counts.set(tag, left)
  else counts.delete(tag)
  return left === 0
}

/** By tag, the plugins that require it and have no verdict of their own. */
function dependentsOf(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const dependents = new Map<string, Entry[]>()
  for (const entry of entries) {
    if (entry.isForced || isAsker(entry)) continue
    for (const tag of entry.required) {
      const known = dependents.get(tag)
      if (known) known.push(entry)
      else dependents.set(tag, [entry])
    }
  }
  return dependents
}

interface Round {
  readonly round: number
  readonly tags: TagCounts
  readonly entries: readonly Entry[]
  readonly input: RoundsInput
}

/** Asks each plugin for its own verdict, all with the same tags and context; those that drop out. CL-10 */
async function askRound(
  asked: readonly Entry[],
  { round, tags, entries, input }: Round,
): Promise<Entry[]> {
  const shown = new Set(tags.keys())
  const context = contextOf(entries, input.config)
  const dropped: Entry[] = []
  for (const entry of asked) {
    const { plugin, config } = entry
    const answer = askHook(plugin, 'isEnabled', [config, shown, input.models, context])
    const verdict = answer instanceof Promise ? await answer : answer
    if (!stays(entry, round, tags, verdict)) dropped.push(entry)
  }
  return dropped
}

/** CL-05, CL-07: its own verdict, else the tags. */
function stays(
  entry: Entry,
  round: number,
  tags: TagCounts,
  verdict: boolean | undefined,
): boolean {
  if (verdict === undefined) return staysByTags(entry, round, tags)
  entry.round = round
  entry.rule = 'own verdict'
  return verdict
}

/** Required tags all present and forbidden ones all absent. CL-05 */
function staysByTags(entry: Entry, round: number, tags: TagCounts): boolean {
  entry.round = round
  if (entry.isForced) return true
  const missing = entry.required.filter((tag) => !tags.has(tag))
  const forbidden = entry.forbids.filter((tag) => tags.has(tag))
  entry.missing = missing
  entry.forbidden = forbidden
  if (missing.length > 0) entry.rule = 'missing tags'
  else entry.rule = forbidden.length > 0 ? 'forbidden tags' : 'tags'
  return entry.rule === 'tags'
}

/** CL-09: the names of the plugins that are still on at the round's start. */
function contextOf(entries: readonly Entry[], config: Config): EnablementContext {
  const names = (kind: Kind) =>
    entries
      .filter((entry) => entry.on && entry.plugin.kind === kind)
      .map((entry) => entry.plugin.name)
  return {
    enabled_plugin_ids: {
      extensions: names('extension'),
      features: names('feature'),
      tools: names('tool'),
    },
    disabled_plugins: [...(config.disabled_plugins ?? [])],
    force_enabled_plugins: [...(config.force_enabled_plugins ?? [])],
  }
}

function finish(entries: readonly Entry[], rounds: number, tags: TagCounts): RoundsResult {
  for (const entry of entries) if (entry.on) entry.round = rounds
  return { rounds, tags: new Set(tags.keys()) }
}
