import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { ChosenModel, Edited } from './choice.ts'
import { applyEdits, editsOf, withoutLists } from './edits.ts'
import type { Observer, Offer } from './observer.ts'
import { isListed, type Keys, mayRead, type ReadKey } from './reads.ts'

type Plugins = readonly AnyPlugin[]

/** The plugins, without providers, that offer each tag for an edited config, whether they are on or off. */
export interface Offering {
  readonly of: (tag: string) => Plugins
  /** The plugins whose tags may depend on the lists of the config, and what those depend on. */
  readonly listed: ReadonlyMap<AnyPlugin, Keys>
  /** What the tags of all plugins depend on. */
  readonly keys: Keys
}

/**
 * The tags that plugins would provide. A plugin is asked again only for another provider or model, and for edits of
 * lists only if its hook read a list.
 */
export class Offers {
  readonly #plugins: Plugins
  readonly #config: Config
  readonly #observer: Observer
  /** The offers that no edit changes. */
  readonly #fixed = new Map<AnyPlugin, Offer>()
  readonly #ofChoices = new Map<string, Promise<Offering>>()

  /** @param plugins those whose offers count; providers are left out */
  constructor(plugins: Plugins, config: Config, observer: Observer) {
    this.#plugins = plugins.filter(({ kind }) => kind !== 'provider')
    this.#config = config
    this.#observer = observer
  }

  async at({ steps, choice }: Edited<ChosenModel>): Promise<Offering> {
    const choosing = withoutLists(steps)
    const known =
      this.#ofChoices.get(choice.id) ?? this.#ask(this.#plugins, { steps: choosing, choice })
    this.#ofChoices.set(choice.id, known)
    const offering = await known
    const edited = new Set(steps.flatMap(({ edit }) => ('list' in edit ? edit.list : [])))
    const asked = [...offering.listed].filter(([, keys]) => mayRead(keys, edited))
    if (edited.size === 0 || asked.length === 0) return offering
    const plugins = asked.map(([plugin]) => plugin)
    return replaced(offering, plugins, await this.#ask(plugins, { steps, choice }))
  }

  async #ask(
    plugins: Plugins,
    { steps, choice: { model, models } }: Edited<ChosenModel>,
  ): Promise<Offering> {
    const edited = applyEdits(this.#config, editsOf(steps))
    const config = model === undefined ? edited : { ...edited, model }
    const ofTags = new Map<string, AnyPlugin[]>()
    const listed = new Map<AnyPlugin, Keys>()
    const keys = new Set<ReadKey>()
    for (const plugin of plugins) {
      const offer = this.#fixed.get(plugin) ?? (await this.#observer.offer(plugin, config, models))
      if (offer.keys.size === 0) this.#fixed.set(plugin, offer)
      if (isListed(offer.keys)) listed.set(plugin, offer.keys)
      for (const key of offer.keys) keys.add(key)
      addAll(ofTags, plugin, offer.tags)
    }
    return { of: (tag) => ofTags.get(tag) ?? [], listed, keys }
  }
}

/** An offering in which some plugins offer the tags that they offer for edited lists. */
function replaced({ of, listed, keys }: Offering, plugins: Plugins, edited: Offering): Offering {
  const asked = new Set(plugins)
  return {
    of: (tag) => [...of(tag).filter((plugin) => !asked.has(plugin)), ...edited.of(tag)],
    listed: new Map([...listed, ...edited.listed]),
    keys: new Set([...keys, ...edited.keys]),
  }
}

function addAll(plugins: Map<string, AnyPlugin[]>, plugin: AnyPlugin, tags: readonly string[]) {
  for (const tag of new Set(tags)) {
    const known = plugins.get(tag)
    if (known) known.push(plugin)
    else plugins.set(tag, [plugin])
  }
}
