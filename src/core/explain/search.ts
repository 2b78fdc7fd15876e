import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import type { Rule } from '../resolve/index.ts'
import { type Attempt, Attempts, type Situation } from './attempts.ts'
import type { Edit } from './edits.ts'
import { Hunt } from './hunt.ts'
import { Influence } from './influence.ts'
import type { Offers } from './offers.ts'
import { editsOf, PossibleSteps } from './steps.ts'
import { tagsIn, WhyOff } from './why-off.ts'

/** The work of all searches together, in judgments of plugins. */
const MOST_WORK = 100_000
/** The tries that a plugin has however much the others have used, so that simple changes are always found. */
const FEWEST_TRIES = 10

/** The changes that turn a plugin on. */
export interface Changes {
  /** All smallest sets of edits. Null if there are none. */
  readonly change: readonly (readonly Edit[])[] | null
  readonly obstacle?: Obstacle
  readonly searched?: false
}

/** The reason why no change turns a plugin on. */
export interface Obstacle {
  /** The rule that keeps the plugin off, if possible as a candidate. */
  readonly rule: Rule
  /** The tags that are missing, or forbidden, by that rule. */
  readonly tags: readonly string[]
  /** The tags that it, or a plugin that it needs, requires, and that no plugin provides with any provider and model. */
  readonly unprovided: readonly string[]
  /** For a plugin with a verdict of its own, the JSON pointers of the config values that its hooks read. */
  readonly reads: readonly string[]
}

/** Searches for the smallest changes of a config that turn plugins on. */
export class Search {
  readonly #situation: Situation
  readonly #offers: Offers
  readonly #possible: PossibleSteps
  readonly #influence: Influence
  readonly #whyOff: WhyOff
  readonly #unchanged: Attempt
  readonly #places: ReadonlyMap<AnyPlugin, number>
  constructor(situation: Situation, offers: Offers) {
    const { plugins, config } = situation
    this.#situation = situation
    this.#offers = offers
    this.#possible = new PossibleSteps(plugins, config)
    this.#influence = new Influence(this.#situation, this.#possible, offers)
    this.#whyOff = new WhyOff(this.#possible, this.#influence)
    this.#unchanged = new Attempts(this.#situation, plugins).unchanged
    this.#places = new Map(plugins.map((plugin, at) => [plugin, at]))
  }

  /** The smallest changes that turn on a plugin that is off. */
  async changesFor(plugin: AnyPlugin): Promise<Changes> {
    const { work } = this.#situation
    // Half of what is left, so that no search takes all.
    const end = work.spent + Math.max(0, MOST_WORK - work.spent) / 2
    let tries = 0
    const hunt = new Hunt(plugin, {
      unchanged: this.#unchanged,
      possible: this.#possible,
      whyOff: this.#whyOff,
      attempts: async () => new Attempts(this.#situation, await this.#decisive(plugin)),
      isSpent: () => tries++ >= FEWEST_TRIES && work.spent >= end,
    })
    await hunt.run()
    const change = hunt.found.length > 0 ? hunt.found.map(editsOf) : null
    if (hunt.isCut) return { change, searched: false }
    if (change) return { change }
    return { change, obstacle: await this.#obstacle(plugin, hunt.judged ?? this.#unchanged) }
  }

  async #obstacle(plugin: AnyPlugin, at: Attempt): Promise<Obstacle> {
    const { rule, missing, forbidden } = at.entryOf(plugin)
    const isMissing = rule === 'missing tags'
    return {
      rule,
      tags: isMissing ? missing : forbidden,
      unprovided: isMissing ? await this.#whyOff.unprovided(plugin, at) : [],
      reads: rule === 'own verdict' ? (await at.readsOf(plugin)).pointers : [],
    }
  }

  /** The plugins on which it depends whether a plugin is on. A resolution without the others gives it the same verdict. */
  async #decisive(plugin: AnyPlugin): Promise<readonly AnyPlugin[]> {
    const { plugins } = this.#situation
    const found = new Set([plugin, ...this.#offers.fickle])
    for (const one of found) {
      if (canAskAnything(one)) return plugins
      for (const tag of tagsIn(one, ['requiredTags', 'forbiddenTags'])) {
        for (const other of this.#offers.always(tag)) found.add(other)
      }
    }
    const { modelers, providers } = this.#influence
    const all = new Set([...found, ...modelers, ...providers])
    const placeOf = (one: AnyPlugin) => this.#places.get(one) ?? 0
    return [...all].sort((one, other) => placeOf(one) - placeOf(other))
  }
}

/** Whether the verdict on a plugin may depend on any other plugin. One that cannot be read has no verdict. */
function canAskAnything(plugin: AnyPlugin): boolean {
  try {
    return hasHook(plugin, 'isEnabled')
  } catch {
    return false
  }
}
