import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook, readTexts } from '../hooks/index.ts'
import { type Rule, serves } from '../resolve/index.ts'
import type { Attempt } from './attempts.ts'
import { tagsIn } from './declared.ts'
import type { Steps } from './edits.ts'
import { isOffered, onModels, onReaders, onTag, onTagOfProvider } from './influence.ts'

type Tags = readonly string[]

/** How many plugins that the lists keep out are looked through, one needing the other. */
const MOST_AHEAD = 4

/** The list that keeps a plugin out by a rule. */
const LISTS_OF: { readonly [rule in Rule]?: string } = {
  disabled: 'disabled_plugins',
  'off by default': 'enabled_plugins',
}

/** The reason why no change turns a plugin on. */
export interface Obstacle {
  /** The rule that keeps the plugin off, if possible as a candidate. */
  readonly rule: Rule
  /** The tags that are missing, or forbidden, by that rule. */
  readonly tags: Tags
  /** The tags that it, or a plugin that it needs, requires, and that no plugin provides with any provider and model. */
  readonly unprovided: Tags
  /** For a plugin with a verdict of its own, the JSON pointers of the config values that its hooks read. */
  readonly reads: readonly string[]
}

/** The covers of missing tags. Undefined while one is searched. */
const knownCovers = new WeakMap<Attempt, Map<string, Steps | undefined>>()

/**
 * The edits that may turn a plugin on, backwards from what keeps it off. The answers are covers: every change that turns
 * the plugin on contains at least one edit of each. Looks some plugins ahead from one that the lists keep out.
 */
export async function coversFor(
  plugin: AnyPlugin,
  at: Attempt,
  ahead = MOST_AHEAD,
): Promise<readonly Steps[]> {
  const { rule, missing, forbidden } = await at.entryOf(plugin)
  if (rule === 'other provider') return [providersFor(plugin, at)]
  if (rule === 'threw') return [[]]
  const list = LISTS_OF[rule]
  if (list) {
    const listed = at.possible.ofPlugin(plugin, list)
    return [listed, ...(await coversOfTags(await requiredLater(plugin, at), at, ahead - 1))]
  }
  if (hasHook(plugin, 'isEnabled')) return [await coverOfVerdict(plugin, at)]
  const covers = [...(await coversOfTags(missing, at, ahead))]
  for (const tag of forbidden) covers.push(...(await coversAgainstTag(tag, plugin, at)))
  return covers
}

/** The edits of which one makes the config name a model that the provider offers. */
export function coverForModel(at: Attempt): Steps {
  return at.possible.joined(at.possible.models, onModels(at))
}

export async function obstacleOf(plugin: AnyPlugin, at: Attempt): Promise<Obstacle> {
  const { rule, missing, forbidden } = await at.entryOf(plugin)
  const isMissing = rule === 'missing tags'
  return {
    rule,
    tags: isMissing ? missing : forbidden,
    unprovided: isMissing ? await unprovidedOf(missing, at) : [],
    reads: rule === 'own verdict' ? (await at.readsOf(plugin)).pointers : [],
  }
}

/** Of some tags, and those that the plugins require that offer them, the ones that no plugin provides. */
async function unprovidedOf(tags: Tags, at: Attempt): Promise<Tags> {
  const needed = new Set(tags)
  const unprovided: string[] = []
  for (const tag of needed) {
    const sources = (await at.offering).of(tag)
    for (const other of sources) {
      for (const next of tagsIn(other, ['requiredTags'])) needed.add(next)
    }
    if (!(await isOffered(tag, at))) unprovided.push(tag)
  }
  return unprovided
}

/** The edits that choose a provider that an extension serves; for a provider, the provider itself. */
function providersFor(plugin: AnyPlugin, at: Attempt): Steps {
  const isRight = (name: string) =>
    plugin.kind === 'provider' ? plugin.name === name : serves(plugin, name)
  const providers = at.possible.providers
  return providers.filter(({ edit }) => 'provider' in edit && isRight(edit.provider))
}

/** The covers for missing tags, without those that are being searched already. */
async function coversOfTags(tags: Tags, at: Attempt, ahead: number): Promise<readonly Steps[]> {
  const covers: Steps[] = []
  for (const tag of ahead > 0 ? tags : []) {
    const cover = await coverOfTag(tag, at, ahead)
    if (cover) covers.push(cover)
  }
  return covers
}

/** The edits of which one makes a missing tag present. Undefined if that depends on a search that is under way. */
async function coverOfTag(tag: string, at: Attempt, ahead: number): Promise<Steps | undefined> {
  const known = knownCovers.get(at) ?? new Map<string, Steps | undefined>()
  knownCovers.set(at, known)
  if (known.has(tag)) return known.get(tag)
  known.set(tag, undefined)
  const found: Steps[] = []
  for (const plugin of (await at.offering).of(tag)) {
    const covers = await coversFor(plugin, at, ahead)
    if (covers.length > 0) found.push(smallestOf(covers))
    else return void known.delete(tag)
  }
  // Those that offer the tag now come first, in case a limit ends the search.
  const cover = at.possible.joined(...found, await onTag(tag, at))
  known.set(tag, cover)
  return cover
}

/** The covers for a forbidden tag: one for each plugin that provides it. */
async function coversAgainstTag(
  tag: string,
  by: AnyPlugin,
  at: Attempt,
): Promise<readonly Steps[]> {
  const covers: Steps[] = []
  if (at.choice.tags.includes(tag)) covers.push(await onTagOfProvider(tag, at))
  for (const plugin of (await at.offering).of(tag)) {
    const { round } = await at.entryOf(plugin)
    if (round > 0) covers.push(await coverAgainst(plugin, by, at))
  }
  return covers
}

/** The edits that may stop a plugin from being a candidate, or change its tags. */
async function coverAgainst(plugin: AnyPlugin, by: AnyPlugin, at: Attempt): Promise<Steps> {
  const { rule } = await at.entryOf(plugin)
  const { keys } = await at.readsOf(plugin)
  const canGo = plugin !== by && rule !== 'forced'
  const isChoosy = plugin.kind === 'extension' && readTexts(plugin, 'providers')
  return at.possible.joined(
    canGo ? at.possible.ofPlugin(plugin, 'disabled_plugins') : [],
    isChoosy ? at.possible.providers : [],
    onReaders(keys, at),
  )
}

/** The edits that may change whether a plugin with a verdict of its own is on, through all that it depends on. */
async function coverOfVerdict(start: AnyPlugin, at: Attempt): Promise<Steps> {
  const seen = { plugins: new Set([start]), tags: new Set<string>() }
  const steps: Steps[] = []
  for (const plugin of seen.plugins) {
    const { round } = await at.entryOf(plugin)
    if (round === 0) {
      steps.push(smallestOf(await coversFor(plugin, at)))
      continue
    }
    steps.push(await coverAgainst(plugin, start, at))
    const { tags, plugins, isAll } = at.attempts.dependenciesOf(plugin)
    if (isAll) return at.possible.all
    for (const other of plugins) seen.plugins.add(other)
    for (const tag of tags.filter((one) => !seen.tags.has(one))) {
      seen.tags.add(tag)
      for (const other of (await at.offering).of(tag)) seen.plugins.add(other)
      steps.push(await onTag(tag, at))
    }
  }
  return at.possible.joined(...steps)
}

/** The tags that a plugin will miss as a candidate, because only plugins that the lists keep out offer them. */
async function requiredLater(plugin: AnyPlugin, at: Attempt): Promise<Tags> {
  if (hasHook(plugin, 'isEnabled')) return []
  const offering = await at.offering
  const isMissing = (tag: string) =>
    !at.choice.tags.includes(tag) && offering.of(tag).every((other) => at.isKeptOut(other))
  return tagsIn(plugin, ['requiredTags']).filter(isMissing)
}

export function smallestOf(covers: readonly Steps[]): Steps {
  const [first = [], ...others] = covers
  return others.reduce((best, cover) => (cover.length < best.length ? cover : best), first)
}
