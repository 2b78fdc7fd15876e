import type { AnyPlugin, Config, EnablementContext, Kind } from '../plugin/internal.ts'
import { bindHook, hasHook, limitsOf, readValue } from '../plugin/internal.ts'
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
const LIMITS = limitsOf({})

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
    required: tagList(plugin, 'requiredTags'),
    forbids: tagList(plugin, 'forbiddenTags'),
    on: true,
    round: 0,
    rule: isForced ? 'forced' : 'tags',
    missing: NONE,
    forbidden: NONE,
  }
}

function tagList(plugin: AnyPlugin, name: 'requiredTags' | 'forbiddenTags'): readonly string[] {
  const tags = readValue(plugin, name)
  return Array.isArray(tags) ? tags : NONE
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
  const askers = entries.filter((entry) => !entry.isForced && hasHook(entry.plugin, 'isEnabled'))
  let due = entries
  for (let round = 1; ; round++) {
    const dropped = await judgeRound(due, round, { entries, tags, input })
    if (dropped.length === 0) return finish(entries, round, tags)
    for (const entry of dropped) entry.on = false
    const gone = dropped.flatMap((entry) => entry.provided.filter((tag) => releaseTag(tags, tag)))
    due = unique([
      ...askers.filter((entry) => entry.on),
      ...gone.flatMap((tag) => dependents.get(tag)?.filter((entry) => entry.on) ?? []),
    ])
  }
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
    if (entry.isForced || hasHook(entry.plugin, 'isEnabled')) continue
    for (const tag of entry.required) {
      const known = dependents.get(tag)
      if (known) known.push(entry)
      else dependents.set(tag, [entry])
    }
  }
  return dependents
}

/** How things stand at a round's start. */
interface Standing {
  readonly entries: readonly Entry[]
  readonly tags: TagCounts
  readonly input: RoundsInput
}

/** Judges all that are due against the same tags and the same context. CL-10 */
async function judgeRound(
  due: readonly Entry[],
  round: number,
  { entries, tags, input }: Standing,
): Promise<Entry[]> {
  const dropped: Entry[] = []
  let shown: Shown | undefined
  for (const entry of due) {
    entry.round = round
    // CL-08: a forced plugin is not even asked.
    if (entry.isForced) continue
    if (!hasHook(entry.plugin, 'isEnabled')) {
      if (!stays(entry, tags, undefined)) dropped.push(entry)
      continue
    }
    shown ??= { tags: new Set(tags.keys()), context: contextOf(entries, input.config) }
    const verdict = ownVerdict(entry, input.models, shown)
    if (!stays(entry, tags, verdict instanceof Promise ? await verdict : verdict))
      dropped.push(entry)
  }
  return dropped
}

/** What a round's `isEnabled` hooks are shown. */
interface Shown {
  readonly tags: ReadonlySet<string>
  readonly context: EnablementContext
}

function ownVerdict(
  { plugin, config }: Entry,
  models: readonly string[],
  shown: Shown,
): boolean | undefined | Promise<boolean | undefined> {
  const isEnabled = bindHook({ plugin, phase: 'resolve', limits: LIMITS }, 'isEnabled')
  return isEnabled?.(config, shown.tags, models, shown.context)
}

/** CL-05, CL-07: its own verdict, else required tags all present and forbidden ones all absent. */
function stays(entry: Entry, tags: TagCounts, verdict: boolean | undefined): boolean {
  if (verdict !== undefined) {
    entry.rule = 'own verdict'
    return verdict
  }
  const missing = entry.required.filter((tag) => !tags.has(tag))
  const forbidden = entry.forbids.filter((tag) => tags.has(tag))
  entry.missing = missing.length > 0 ? missing : NONE
  entry.forbidden = forbidden.length > 0 ? forbidden : NONE
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

function unique(entries: readonly Entry[]): Entry[] {
  return [...new Set(entries)]
}
