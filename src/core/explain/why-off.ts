import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook, readTexts } from '../hooks/index.ts'
import { serves } from '../resolve/index.ts'
import type { Attempt, Attempts } from './attempts.ts'
import { Influence } from './influence.ts'
import { joined, type Steps } from './steps.ts'

type Tags = readonly string[]

/**
 * Finds the edits that may turn a plugin on, backwards from what keeps it off. Every change that turns the plugin on
 * contains at least one of them.
 */
export class WhyOff {
  readonly #attempts: Attempts
  readonly #influence: Influence

  constructor(attempts: Attempts) {
    this.#attempts = attempts
    this.#influence = new Influence(attempts)
  }

  /** The edits for a plugin that is off, of which every change needs one. */
  async stepsFor(plugin: AnyPlugin, at: Attempt): Promise<Steps> {
    const { possible } = this.#influence
    const { rule, missing, forbidden } = at.entryOf(plugin)
    if (rule === 'other provider') return this.#servers(plugin, at)
    if (rule === 'disabled') return possible.ofPluginIn('disabled_plugins', plugin, at)
    if (rule === 'off by default') return possible.ofPluginIn('enabled_plugins', plugin, at)
    if (rule === 'threw') return []
    if (hasHook(plugin, 'isEnabled')) return this.#anyChange(plugin, at)
    if (missing.length === 0) return this.#without(forbidden[0] ?? '', plugin, at)
    let fewest: Steps | undefined
    for (const tag of missing) {
      const steps = await this.#with(tag, at)
      if (!fewest || steps.length < fewest.length) fewest = steps
    }
    return fewest ?? []
  }

  /** The edits of which one makes the provider offer the model of the config. */
  async stepsForModel(at: Attempt): Promise<Steps> {
    const { possible } = this.#influence
    return joined(possible.models(at), await this.#influence.onModels(at))
  }

  /** The tags that a plugin, or one that it could need, requires, and that no plugin provides. */
  async unprovided(plugin: AnyPlugin, at: Attempt): Promise<Tags> {
    const needed = new Set(at.entryOf(plugin).missing)
    const unprovided: string[] = []
    for (const tag of needed) {
      if (await this.#influence.isOfProvider(tag, at)) continue
      const { plugins } = await this.#influence.offering(tag, at)
      if (plugins.length === 0) unprovided.push(tag)
      for (const other of plugins) for (const next of requiredBy(other)) needed.add(next)
    }
    return unprovided
  }

  /** The providers that an extension serves; for a provider, the provider itself. */
  #servers(plugin: AnyPlugin, at: Attempt): Steps {
    const isRight = (name: string) =>
      plugin.kind === 'provider' ? plugin.name === name : serves(plugin, name)
    const providers = this.#influence.possible.providers(at)
    return providers.filter(({ edit }) => 'provider' in edit && isRight(edit.provider))
  }

  /** The edits of which one makes a missing tag present. */
  async #with(tag: string, at: Attempt): Promise<Steps> {
    const ofProvider = await this.#influence.onProvider(at, (tags) => tags.includes(tag))
    const { plugins, steps } = await this.#influence.offering(tag, at)
    const found = [ofProvider, steps]
    for (const plugin of plugins) {
      if (!at.entryOf(plugin).on) found.push(await this.stepsFor(plugin, at))
    }
    return joined(...found)
  }

  /** The edits of which one removes a forbidden tag: those against one of the candidates that provide it. */
  async #without(tag: string, by: AnyPlugin, at: Attempt): Promise<Steps> {
    const { tagsOf, plugins } = at.resolved
    const provides = (plugin: AnyPlugin) => tagsOf(plugin)?.includes(tag) === true
    if (provides(plugins.provider)) {
      return this.#influence.onProvider(at, (tags) => !tags.includes(tag))
    }
    const culprit = provides(by) ? by : this.#attempts.search.plugins.find(provides)
    return culprit ? this.#against(culprit, by, at) : []
  }

  /** The edits that may stop a plugin from being a candidate, or change its tags. */
  async #against(plugin: AnyPlugin, by: AnyPlugin, at: Attempt): Promise<Steps> {
    const { possible } = this.#influence
    const canGo = plugin !== by && at.entryOf(plugin).rule !== 'forced'
    const { keys } = await at.readsOf(plugin)
    return joined(
      canGo ? possible.ofPluginIn('disabled_plugins', plugin, at) : [],
      plugin.kind === 'extension' && readTexts(plugin, 'providers') ? possible.providers(at) : [],
      await this.#influence.onReaders(keys, at),
    )
  }

  /** The edits that may change whether a plugin with a verdict of its own is on, through all that it depends on. */
  async #anyChange(start: AnyPlugin, at: Attempt): Promise<Steps> {
    const found: Steps[] = []
    const plugins = new Set([start])
    const tags = new Set<string>()
    for (const plugin of plugins) {
      if (at.entryOf(plugin).round === 0) {
        found.push(await this.stepsFor(plugin, at))
        continue
      }
      found.push(await this.#against(plugin, start, at))
      for (const tag of [...tagsNeeded(plugin), ...(await at.readsOf(plugin)).tags]) {
        if (tags.has(tag)) continue
        tags.add(tag)
        const { others, steps } = await this.#anyChangeOfTag(tag, at)
        for (const other of others) plugins.add(other)
        found.push(steps)
      }
    }
    return joined(...found)
  }

  /** The plugins that may provide a tag, and the edits that change the other reasons why it is present or not. */
  async #anyChangeOfTag(tag: string, at: Attempt) {
    const { tagsOf, plugins } = at.resolved
    const isThere = tagsOf(plugins.provider)?.includes(tag)
    const onProvider = await this.#influence.onProvider(
      at,
      (tags) => tags.includes(tag) !== isThere,
    )
    const { plugins: others, steps } = await this.#influence.offering(tag, at)
    return { others, steps: [...onProvider, ...steps] }
  }
}

function tagsNeeded(plugin: AnyPlugin): Tags {
  return (['requiredTags', 'forbiddenTags'] as const).flatMap(
    (name) => readTexts(plugin, name) ?? [],
  )
}

/** The required tags of a plugin. None if it cannot be read. */
function requiredBy(plugin: AnyPlugin): Tags {
  try {
    return readTexts(plugin, 'requiredTags') ?? []
  } catch {
    return []
  }
}
