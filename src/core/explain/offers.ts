import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Resolved } from '../resolve/index.ts'
import { applyEdits, editsOf, isOfList, type Steps } from './edits.ts'
import type { Observer, Offer } from './observer.ts'
import type { Edited } from './possible-steps.ts'
import { isListed, type Keys, type ReadKey } from './reads.ts'

type Plugins = readonly AnyPlugin[]

/** The plugins, without providers, that offer each tag for an edited config. */
export interface Offering {
  readonly of: (tag: string) => Plugins
  /** The plugins whose tags may depend on the lists of the config. */
  readonly listed: Plugins
  /** What the tags of all plugins depend on. */
  readonly keys: Keys
}

/**
 * The tags that plugins would provide, whether they are on or off. A plugin is asked again only for another provider or
 * model, and for edits of lists only if its hook read a list.
 */
export class Offers {
  readonly #config: Config
  readonly #observer: Observer
  /** The plugins whose tags no edit changes. */
  readonly #fixed = new Map<string, AnyPlugin[]>()
  /** The plugins whose tags depend on the config. */
  readonly #fickle: AnyPlugin[] = []
  readonly #ofChoices = new Map<string, Promise<Offering>>()
  readonly #ofLists = new WeakMap<Edited, Promise<Offering>>()

  private constructor(config: Config, observer: Observer) {
    this.#config = config
    this.#observer = observer
  }

  /** Asks plugins other than providers, for a config and its resolution. */
  static async of(plugins: Plugins, config: Config, resolved: Resolved, observer: Observer) {
    const offers = new Offers(config, observer)
    const all = await offers.#ask(plugins, resolved.config, resolved.resolution.models)
    for (const [plugin, { tags, keys }] of all) {
      if (keys.size > 0) offers.#fickle.push(plugin)
      else addAll(offers.#fixed, plugin, tags)
    }
    return { offers, tagsOf: (plugin: AnyPlugin) => all.get(plugin)?.tags ?? [] }
  }

  async at(edited: Edited): Promise<Offering> {
    const { id } = edited.choice
    const choosing = edited.steps.filter((step) => !isOfList(step))
    const known = this.#ofChoices.get(id) ?? this.#ofChoice(choosing, edited)
    this.#ofChoices.set(id, known)
    const offering = await known
    if (offering.listed.length === 0 || choosing.length === edited.steps.length) return offering
    return this.#withLists(edited, offering)
  }

  async #ofChoice(choosing: Steps, edited: Edited): Promise<Offering> {
    const { of, listed, keys } = await this.#offering(this.#fickle, choosing, edited)
    return { of: (tag) => [...(this.#fixed.get(tag) ?? []), ...of(tag)], listed, keys }
  }

  /** The offering with the answers of the plugins that read a list, for the edited lists. */
  async #withLists(edited: Edited, { of, listed, keys }: Offering): Promise<Offering> {
    const known = this.#ofLists.get(edited) ?? this.#offering(listed, edited.steps, edited)
    this.#ofLists.set(edited, known)
    const own = await known
    const others = new Set(listed)
    return {
      of: (tag) => [...of(tag).filter((plugin) => !others.has(plugin)), ...own.of(tag)],
      listed: own.listed,
      keys: new Set([...keys, ...own.keys]),
    }
  }

  async #offering(plugins: Plugins, steps: Steps, edited: Edited): Promise<Offering> {
    const ofTags = new Map<string, AnyPlugin[]>()
    const listed: AnyPlugin[] = []
    const keys = new Set<ReadKey>()
    const { model, models } = edited.choice
    const config = applyEdits(this.#config, editsOf(steps))
    const named = model === undefined ? config : { ...config, model }
    for (const [plugin, offer] of await this.#ask(plugins, named, models)) {
      addAll(ofTags, plugin, offer.tags)
      if (isListed(offer.keys)) listed.push(plugin)
      for (const key of offer.keys) keys.add(key)
    }
    return { of: (tag) => ofTags.get(tag) ?? [], listed, keys }
  }

  async #ask(plugins: Plugins, config: Config, models: readonly string[]) {
    const offers = new Map<AnyPlugin, Offer>()
    for (const plugin of plugins) {
      offers.set(plugin, await this.#observer.offer(plugin, config, models))
    }
    return offers
  }
}

function addAll(plugins: Map<string, AnyPlugin[]>, plugin: AnyPlugin, tags: readonly string[]) {
  for (const tag of new Set(tags)) {
    const known = plugins.get(tag)
    if (known) known.push(plugin)
    else plugins.set(tag, [plugin])
  }
}
