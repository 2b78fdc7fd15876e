import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { askForTags, type HookArguments } from '../resolve/index.ts'
import type { ChangeSearch } from './attempts.ts'
import { EVERYTHING, MODELS, Reads } from './reads.ts'

/** The tags of a plugin for a config, and the keys that its answer depends on. */
export interface Offer {
  readonly tags: readonly string[]
  readonly keys: ReadonlySet<string>
}

/** A config and the models that it offers. */
export interface Setting {
  readonly config: Config
  readonly models: readonly string[]
}

const NOTHING: Offer = { tags: [], keys: new Set() }

/** Asks plugins for the tags that they would provide, whether they are on or off. */
export class Offers {
  readonly #search: ChangeSearch
  readonly #fixed = new Map<string, AnyPlugin[]>()
  /** The plugins whose tags may differ for another config. */
  readonly #fickle: AnyPlugin[] = []
  readonly #keys = new Set<string>()
  readonly #ofProviders = new Map<string, Offer>()

  private constructor(search: ChangeSearch) {
    this.#search = search
  }

  static async of(search: ChangeSearch, at: Setting): Promise<Offers> {
    const offers = new Offers(search)
    for (const plugin of search.plugins) {
      if (plugin.kind !== 'provider') offers.#add(plugin, await offers.#ask(plugin, at))
    }
    return offers
  }

  #add(plugin: AnyPlugin, { tags, keys }: Offer): void {
    if (keys.size > 0) this.#fickle.push(plugin)
    else
      for (const tag of new Set(tags))
        this.#fixed.set(tag, [...(this.#fixed.get(tag) ?? []), plugin])
    for (const key of keys) this.#keys.add(key)
  }

  /** The plugins that provide a tag, without providers, and the keys that may make others provide it. */
  async offering(tag: string, at: Setting): Promise<Offering> {
    const plugins = [...(this.#fixed.get(tag) ?? [])]
    for (const plugin of this.#fickle) {
      if ((await this.#ask(plugin, at)).tags.includes(tag)) plugins.push(plugin)
    }
    return { plugins, keys: this.#keys }
  }

  /** The tags of a provider with a model. */
  async ofProvider(provider: AnyPlugin, { config, models }: Setting): Promise<Offer> {
    const key = JSON.stringify([provider.name, config.model])
    const known = this.#ofProviders.get(key)
    if (known) return known
    const named = { ...config, provider: provider.name }
    const offer = await this.#ask(provider, { config: named, models })
    this.#ofProviders.set(key, offer)
    return offer
  }

  async #ask(plugin: AnyPlugin, { config, models }: Setting): Promise<Offer> {
    const view = this.#search.options.configOf?.(config, plugin) ?? config
    const reads = new Reads()
    const argsOf = (_: AnyPlugin, args: HookArguments) => reads.watch(args)
    try {
      const tags = await askForTags(plugin, view, { config, models, argsOf })
      return { tags, keys: editable(reads.keys) }
    } catch {
      return plainly(plugin, view, { config, models })
    }
  }
}

export interface Offering {
  readonly plugins: readonly AnyPlugin[]
  readonly keys: ReadonlySet<string>
}

/** A plugin that cannot use watched values may have read anything. One that throws has no tags. */
async function plainly(plugin: AnyPlugin, view: Config, at: Setting): Promise<Offer> {
  try {
    return { tags: await askForTags(plugin, view, at), keys: new Set([EVERYTHING]) }
  } catch {
    return NOTHING
  }
}

const EDITABLE = ['provider', 'model', 'enabled_plugins', 'disabled_plugins', MODELS, EVERYTHING]

/** The keys that an edit may change. */
export function editable(keys: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(EDITABLE.filter((key) => keys.has(key)))
}
