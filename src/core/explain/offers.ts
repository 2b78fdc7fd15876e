import { type Config, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import { askForTags, type Resolved } from '../resolve/index.ts'
import type { Situation } from './attempts.ts'
import { EVERYTHING, type ReadKey, Reads, watched } from './reads.ts'

/** The tags of a plugin for a config, and what they depend on. */
export interface Offer {
  readonly tags: readonly string[]
  readonly keys: ReadonlySet<ReadKey>
}

/** The plugins that offer each tag for a config, and what that depends on. */
export interface Offering {
  readonly plugins: ReadonlyMap<string, readonly AnyPlugin[]>
  readonly keys: ReadonlySet<ReadKey>
}

/** A config and its models. */
interface Setting {
  readonly config: Config
  readonly models: readonly string[]
}

const NOTHING: Offer = { tags: [], keys: new Set() }

/** Asks plugins for the tags that they would provide, whether they are on or off. */
export class Offers {
  /** The plugins, without providers, whose tags depend on the config. */
  readonly fickle: AnyPlugin[] = []
  readonly #situation: Situation
  /** The plugins without providers, and their tags for the unchanged config. */
  readonly #initial = new Map<AnyPlugin, Offer>()
  readonly #fixed = new Map<string, AnyPlugin[]>()
  readonly #changed = new WeakMap<Resolved, Promise<Offering>>()
  readonly #ofProviders = new Map<string, Promise<Offer>>()

  private constructor(situation: Situation) {
    this.#situation = situation
  }

  static async of(situation: Situation): Promise<Offers> {
    const { plugins, resolved } = situation
    const offers = new Offers(situation)
    const setting = settingOf(resolved)
    for (const plugin of plugins) {
      if (plugin.kind === 'provider') continue
      const offer = resolved.threw.has(plugin) ? NOTHING : await offers.#ask(plugin, setting)
      offers.#initial.set(plugin, offer)
      if (offer.keys.size > 0) offers.fickle.push(plugin)
      else addAll(offers.#fixed, plugin, offer.tags)
    }
    return offers
  }

  /** The tags of a plugin other than a provider, for the unchanged config. */
  tagsOf(plugin: AnyPlugin): readonly string[] {
    return this.#initial.get(plugin)?.tags ?? []
  }

  /** The plugins, without providers, that offer a tag with any config. */
  always(tag: string): readonly AnyPlugin[] {
    return this.#fixed.get(tag) ?? []
  }

  /** The plugins of `fickle` that offer each tag for a resolved config. */
  sometimes(resolved: Resolved): Promise<Offering> {
    const known = this.#changed.get(resolved) ?? this.#askFickle(settingOf(resolved))
    this.#changed.set(resolved, known)
    return known
  }

  /** The tags of a provider with a model. */
  ofProvider(provider: AnyPlugin, model: string | undefined, at: Resolved): Promise<Offer> {
    const key = JSON.stringify([provider.name, model])
    const { config, models } = settingOf(at)
    const named = model === undefined ? config : { ...config, model }
    const known = this.#ofProviders.get(key) ?? this.#ask(provider, { config: named, models })
    this.#ofProviders.set(key, known)
    return known
  }

  async #askFickle(setting: Setting): Promise<Offering> {
    const plugins = new Map<string, AnyPlugin[]>()
    const keys = new Set<ReadKey>()
    for (const plugin of this.fickle) {
      const offer = await this.#ask(plugin, setting)
      addAll(plugins, plugin, offer.tags)
      for (const key of offer.keys) keys.add(key)
    }
    return { plugins, keys }
  }

  async #ask(plugin: AnyPlugin, setting: Setting): Promise<Offer> {
    const { hung } = this.#situation
    const reads = new Reads()
    try {
      if (hung.has(plugin) || !hasHook(plugin, 'getTags')) return NOTHING
      return { tags: await this.#tags(watched(plugin, reads), setting), keys: reads.keys }
    } catch (error) {
      if (HostError.is(error) && error.code === 'TIMEOUT') hung.add(plugin)
      return this.#askPlainly(plugin, setting)
    }
  }

  /** A plugin that cannot use watched values may have read anything. One that throws has no tags. */
  async #askPlainly(plugin: AnyPlugin, setting: Setting): Promise<Offer> {
    try {
      if (this.#situation.hung.has(plugin)) return NOTHING
      return { tags: await this.#tags(plugin, setting), keys: new Set([EVERYTHING]) }
    } catch {
      return NOTHING
    }
  }

  #tags(plugin: AnyPlugin, { config, models }: Setting) {
    const view = this.#situation.options.configOf?.(config, plugin) ?? config
    return askForTags(plugin, view, { config, models })
  }
}

function settingOf({ config, resolution }: Resolved): Setting {
  return { config, models: resolution.models }
}

function addAll(plugins: Map<string, AnyPlugin[]>, plugin: AnyPlugin, tags: readonly string[]) {
  for (const tag of new Set(tags)) {
    const known = plugins.get(tag)
    if (known) known.push(plugin)
    else plugins.set(tag, [plugin])
  }
}
