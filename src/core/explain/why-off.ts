import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook, readTexts } from '../hooks/index.ts'
import { type Rule, serves } from '../resolve/index.ts'
import type { Attempt } from './attempts.ts'
import { tagsIn } from './declared.ts'
import { joined, type Steps } from './edits.ts'
import type { Influence } from './influence.ts'
import type { PossibleSteps } from './possible-steps.ts'

type Tags = readonly string[]

/** How many plugins that the lists keep out are looked through, one needing the other. */
const MOST_AHEAD = 4

/** The list that keeps a plugin out by a rule. */
const LISTS_OF: { readonly [rule in Rule]?: string } = {
  disabled: 'disabled_plugins',
  'off by default': 'enabled_plugins',
}

/**
 * Finds the edits that may turn a plugin on, backwards from what keeps it off. Its answers are covers: every change that
 * turns the plugin on contains at least one edit of each.
 */
export class WhyOff {
  readonly #possible: PossibleSteps
  readonly #influence: Influence
  readonly #sources = new WeakMap<Attempt, Map<string, readonly AnyPlugin[] | undefined>>()
  /** The covers of missing tags. Undefined while one is searched. */
  readonly #withTags = new WeakMap<Attempt, Map<string, Steps | undefined>>()

  constructor(possible: PossibleSteps, influence: Influence) {
    this.#possible = possible
    this.#influence = influence
  }

  /** The covers for a plugin that is off. Looks some plugins ahead from one that the lists keep out. */
  async covers(plugin: AnyPlugin, at: Attempt, ahead = MOST_AHEAD): Promise<readonly Steps[]> {
    const { rule, missing, forbidden } = await at.entryOf(plugin)
    if (rule === 'other provider') return [this.#servers(plugin, at)]
    if (rule === 'threw') return [[]]
    const list = LISTS_OF[rule]
    if (list) {
      const listed = this.#possible.ofPlugin(plugin, at, list)
      return [listed, ...(await this.#withAll(await requiredLater(plugin, at), at, ahead - 1))]
    }
    if (hasHook(plugin, 'isEnabled')) return [await this.#anyChange(plugin, at)]
    const covers = [...(await this.#withAll(missing, at, ahead))]
    for (const tag of forbidden) covers.push(...(await this.#without(tag, plugin, at)))
    return covers
  }

  /** The edits of which one makes the config name a model that the provider offers. */
  coverForModel(at: Attempt): Steps {
    return joined(this.#possible.models(at), this.#influence.onModels(at))
  }

  /** The tags that a plugin, or one that it could need, requires, and that no plugin provides. */
  async unprovided(plugin: AnyPlugin, at: Attempt): Promise<Tags> {
    const sources = this.#sources.get(at) ?? new Map<string, readonly AnyPlugin[] | undefined>()
    this.#sources.set(at, sources)
    const needed = new Set((await at.entryOf(plugin)).missing)
    for (const tag of needed) {
      if (!sources.has(tag)) sources.set(tag, await this.#sourcesOf(tag, at))
      for (const other of sources.get(tag) ?? []) {
        for (const next of tagsIn(other, ['requiredTags'])) needed.add(next)
      }
    }
    return [...needed].filter((tag) => sources.get(tag)?.length === 0)
  }

  /** The plugins that offer a tag. Undefined if a provider may offer it. */
  async #sourcesOf(tag: string, at: Attempt): Promise<readonly AnyPlugin[] | undefined> {
    const sources = (await at.offering).of(tag)
    if (sources.length > 0) return sources
    return (await this.#influence.isOffered(tag, at)) ? undefined : []
  }

  /** The edits that choose a provider that an extension serves; for a provider, the provider itself. */
  #servers(plugin: AnyPlugin, at: Attempt): Steps {
    const isRight = (name: string) =>
      plugin.kind === 'provider' ? plugin.name === name : serves(plugin, name)
    const providers = this.#possible.providers(at)
    return providers.filter(({ edit }) => 'provider' in edit && isRight(edit.provider))
  }

  /** The covers for missing tags, without those that are being searched already. */
  async #withAll(tags: Tags, at: Attempt, ahead: number): Promise<readonly Steps[]> {
    const covers: Steps[] = []
    for (const tag of ahead > 0 ? tags : []) {
      const cover = await this.#with(tag, at, ahead)
      if (cover) covers.push(cover)
    }
    return covers
  }

  /** The edits of which one makes a missing tag present. Undefined if that depends on a search that is under way. */
  async #with(tag: string, at: Attempt, ahead: number): Promise<Steps | undefined> {
    const known = this.#withTags.get(at) ?? new Map<string, Steps | undefined>()
    this.#withTags.set(at, known)
    if (known.has(tag)) return known.get(tag)
    known.set(tag, undefined)
    const ofProvider = await this.#influence.onProvider(at, (tags) => tags.includes(tag))
    const found = [ofProvider, await this.#influence.onOffers(tag, at)]
    for (const plugin of (await at.offering).of(tag)) {
      const covers = await this.covers(plugin, at, ahead)
      if (covers.length > 0) found.push(smallestOf(covers))
      else return void known.delete(tag)
    }
    const all = joined(...found)
    known.set(tag, all)
    return all
  }

  /** The covers for a forbidden tag: one for each plugin that provides it. */
  async #without(tag: string, by: AnyPlugin, at: Attempt): Promise<readonly Steps[]> {
    const covers: Steps[] = []
    if (at.choice.tags.includes(tag)) {
      covers.push(await this.#influence.onProvider(at, (tags) => !tags.includes(tag)))
    }
    for (const plugin of (await at.offering).of(tag)) {
      const { round } = await at.entryOf(plugin)
      if (round > 0) covers.push(await this.#against(plugin, by, at))
    }
    return covers
  }

  /** The edits that may stop a plugin from being a candidate, or change its tags. */
  async #against(plugin: AnyPlugin, by: AnyPlugin, at: Attempt): Promise<Steps> {
    const { rule } = await at.entryOf(plugin)
    const { keys } = await at.readsOf(plugin)
    const canGo = plugin !== by && rule !== 'forced'
    return joined(
      canGo ? this.#possible.ofPlugin(plugin, at, 'disabled_plugins') : [],
      plugin.kind === 'extension' && readTexts(plugin, 'providers')
        ? this.#possible.providers(at)
        : [],
      this.#influence.onReaders(keys, at),
    )
  }

  /** The edits that may change whether a plugin with a verdict of its own is on, through all that it depends on. */
  async #anyChange(start: AnyPlugin, at: Attempt): Promise<Steps> {
    const plugins = new Set([start])
    const tags = new Set<string>()
    const steps: Steps[] = []
    for (const plugin of plugins) {
      const { round } = await at.entryOf(plugin)
      if (round === 0) {
        steps.push(smallestOf(await this.covers(plugin, at)))
        continue
      }
      const reads = await at.readsOf(plugin)
      if (reads.isAll) return this.#possible.all(at)
      steps.push(await this.#against(plugin, start, at))
      for (const other of this.#possible.plugins(reads.plugins)) plugins.add(other)
      const asked = [...tagsIn(plugin, ['requiredTags', 'forbiddenTags']), ...reads.tags]
      for (const tag of asked.filter((one) => !tags.has(one))) {
        tags.add(tag)
        for (const other of (await at.offering).of(tag)) plugins.add(other)
        steps.push(await this.#anyChangeOfTag(tag, at))
      }
    }
    return joined(...steps)
  }

  /** The edits that may change who offers a tag. */
  async #anyChangeOfTag(tag: string, at: Attempt): Promise<Steps> {
    const isThere = at.choice.tags.includes(tag)
    const isChange = (tags: Tags) => tags.includes(tag) !== isThere
    return joined(
      await this.#influence.onProvider(at, isChange),
      await this.#influence.onOffers(tag, at),
    )
  }
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
