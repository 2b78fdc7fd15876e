import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook, readTexts } from '../hooks/index.ts'
import { serves } from '../resolve/index.ts'
import type { Attempt } from './attempts.ts'
import type { Influence } from './influence.ts'
import { joined, type PossibleSteps, type Steps } from './steps.ts'

type Tags = readonly string[]
type TagLists = readonly ('requiredTags' | 'forbiddenTags')[]

/**
 * Finds the edits that may turn a plugin on, backwards from what keeps it off. Its answers are covers: every change that
 * turns the plugin on contains at least one edit of each.
 */
export class WhyOff {
  readonly #possible: PossibleSteps
  readonly #influence: Influence
  readonly #sources = new WeakMap<Attempt, Map<string, readonly AnyPlugin[] | undefined>>()
  readonly #withTags = new WeakMap<Attempt, Map<string, Steps>>()

  constructor(possible: PossibleSteps, influence: Influence) {
    this.#possible = possible
    this.#influence = influence
  }

  /** The covers for a plugin that is off. */
  async covers(plugin: AnyPlugin, at: Attempt): Promise<readonly Steps[]> {
    const { rule, missing, forbidden } = at.entryOf(plugin)
    if (rule === 'other provider') return [this.#servers(plugin, at)]
    if (rule === 'disabled') return [this.#possible.ofPlugin(plugin, at, 'disabled_plugins')]
    if (rule === 'off by default') return [this.#possible.ofPlugin(plugin, at, 'enabled_plugins')]
    if (rule === 'threw') return [[]]
    if (hasHook(plugin, 'isEnabled')) return [await this.#anyChange(plugin, at)]
    const covers: Steps[] = []
    for (const tag of missing) covers.push(await this.#with(tag, at))
    for (const tag of forbidden) covers.push(...(await this.#without(tag, plugin, at)))
    return covers
  }

  /** The edits of which one makes the config name a model that the provider offers. */
  async coverForModel(at: Attempt): Promise<Steps> {
    return joined(this.#possible.models(at), await this.#influence.onModels(at))
  }

  /** The tags that a plugin, or one that it could need, requires, and that no plugin provides. */
  async unprovided(plugin: AnyPlugin, at: Attempt): Promise<Tags> {
    const sources = this.#sources.get(at) ?? new Map<string, readonly AnyPlugin[] | undefined>()
    this.#sources.set(at, sources)
    const needed = new Set(at.entryOf(plugin).missing)
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
    if (await this.#influence.isOfProvider(tag, at)) return undefined
    return (await this.#influence.offering(tag, at)).offering
  }

  /** The edits that choose a provider that an extension serves; for a provider, the provider itself. */
  #servers(plugin: AnyPlugin, at: Attempt): Steps {
    const isRight = (name: string) =>
      plugin.kind === 'provider' ? plugin.name === name : serves(plugin, name)
    const providers = this.#possible.providers(at)
    return providers.filter(({ edit }) => 'provider' in edit && isRight(edit.provider))
  }

  /** The edits of which one makes a missing tag present. */
  async #with(tag: string, at: Attempt): Promise<Steps> {
    const known = this.#withTags.get(at) ?? new Map<string, Steps>()
    this.#withTags.set(at, known)
    const before = known.get(tag)
    if (before) return before
    // Set at once, so that plugins whose answers contradict each other cannot make this search endless.
    known.set(tag, [])
    const ofProvider = await this.#influence.onProvider(at, (tags) => tags.includes(tag))
    const { offering, steps } = await this.#influence.offering(tag, at)
    const found = [ofProvider, steps]
    for (const plugin of offering) {
      if (!at.entryOf(plugin).on) found.push(smallestOf(await this.covers(plugin, at)))
    }
    const all = joined(...found)
    known.set(tag, all)
    return all
  }

  /** The covers for a forbidden tag: one for each plugin that provides it. */
  async #without(tag: string, by: AnyPlugin, at: Attempt): Promise<readonly Steps[]> {
    const { provider } = at.resolved.plugins
    const provides = (plugin: AnyPlugin) => at.resolved.tagsOf(plugin)?.includes(tag) === true
    const covers: Steps[] = []
    if (provides(provider)) {
      covers.push(await this.#influence.onProvider(at, (tags) => !tags.includes(tag)))
    }
    const { offering } = await this.#influence.offering(tag, at)
    for (const plugin of offering) {
      const isCandidate = at.entryOf(plugin).round > 0
      if (isCandidate && provides(plugin)) covers.push(await this.#against(plugin, by, at))
    }
    return covers
  }

  /** The edits that may stop a plugin from being a candidate, or change its tags. */
  async #against(plugin: AnyPlugin, by: AnyPlugin, at: Attempt): Promise<Steps> {
    const canGo = plugin !== by && at.entryOf(plugin).rule !== 'forced'
    const { keys } = await at.readsOf(plugin)
    return joined(
      canGo ? this.#possible.ofPlugin(plugin, at, 'disabled_plugins') : [],
      plugin.kind === 'extension' && readTexts(plugin, 'providers')
        ? this.#possible.providers(at)
        : [],
      await this.#influence.onReaders(keys, at),
    )
  }

  /** The edits that may change whether a plugin with a verdict of its own is on, through all that it depends on. */
  async #anyChange(start: AnyPlugin, at: Attempt): Promise<Steps> {
    const plugins = new Set([start])
    const tags = new Set<string>()
    const steps: Steps[] = []
    for (const plugin of plugins) {
      if (at.entryOf(plugin).round === 0) {
        steps.push(smallestOf(await this.covers(plugin, at)))
        continue
      }
      steps.push(await this.#against(plugin, start, at))
      const reads = await at.readsOf(plugin)
      for (const other of this.#possible.plugins(reads.plugins)) plugins.add(other)
      const asked = [...tagsIn(plugin, ['requiredTags', 'forbiddenTags']), ...reads.tags]
      for (const tag of asked.filter((one) => !tags.has(one))) {
        tags.add(tag)
        const changed = await this.#anyChangeOfTag(tag, at)
        for (const other of changed.offering) plugins.add(other)
        steps.push(...changed.steps)
      }
    }
    return joined(...steps)
  }

  /** The plugins that may provide a tag, and the edits that change the other reasons why it is present or not. */
  async #anyChangeOfTag(tag: string, at: Attempt) {
    const isThere = at.resolved.tagsOf(at.resolved.plugins.provider)?.includes(tag)
    const onProvider = await this.#influence.onProvider(
      at,
      (tags) => tags.includes(tag) !== isThere,
    )
    const { offering, steps } = await this.#influence.offering(tag, at)
    return { offering, steps: [onProvider, steps] }
  }
}

export function smallestOf(covers: readonly Steps[]): Steps {
  const [first = [], ...others] = covers
  return others.reduce((best, cover) => (cover.length < best.length ? cover : best), first)
}

/** The tags that a plugin requires or forbids. None if it cannot be read. */
export function tagsIn(plugin: AnyPlugin, lists: TagLists): Tags {
  try {
    return lists.flatMap((name) => readTexts(plugin, name) ?? [])
  } catch {
    return []
  }
}
