import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Rule } from '../resolve/index.ts'
import { type Attempt, Attempts, type Situation } from './attempts.ts'
import { type Edit, editsOf } from './edits.ts'
import { Hunt } from './hunt.ts'
import { Influence } from './influence.ts'
import type { Observer } from './observer.ts'
import { PossibleSteps } from './possible-steps.ts'
import { WhyOff } from './why-off.ts'

/** The work of all searches together, in judgments of plugins: this, or for many plugins as much for each. */
const MOST_WORK = 100_000
const MOST_WORK_PER_PLUGIN = 100
/** The tries that a plugin has however much the others have used, so that simple changes are always found. */
const FEWEST_TRIES = 10

/** The changes that turn a plugin on. */
export interface Changes {
  /** All smallest sets of edits. Null if there are none. */
  readonly change: readonly (readonly Edit[])[] | null
  readonly obstacle?: Obstacle
  readonly searched?: number
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
  readonly #observer: Observer
  readonly #attempts: Attempts
  readonly #possible: PossibleSteps
  readonly #whyOff: WhyOff
  readonly #mostWork: number

  constructor(situation: Situation) {
    const { plugins, config, choices, offers, observer } = situation
    this.#observer = observer
    this.#mostWork = Math.max(MOST_WORK, MOST_WORK_PER_PLUGIN * plugins.length)
    this.#attempts = new Attempts(situation)
    this.#possible = new PossibleSteps(plugins, config)
    this.#whyOff = new WhyOff(this.#possible, new Influence(this.#possible, choices, offers))
  }

  /** The smallest changes that turn on a plugin that is off. */
  async changesFor(plugin: AnyPlugin): Promise<Changes> {
    const observer = this.#observer
    // Half of what is left, so that no search takes all.
    const end = observer.spent + Math.max(0, this.#mostWork - observer.spent) / 2
    let [tries, last] = [0, observer.spent]
    const isSpent = () => {
      // A try that other searches have made costs nothing.
      if (observer.spent > last) tries++
      last = observer.spent
      return tries > FEWEST_TRIES && last >= end
    }
    const hunt = new Hunt(plugin, {
      possible: this.#possible,
      whyOff: this.#whyOff,
      attempts: this.#attempts,
      isSpent,
    })
    await hunt.run()
    const { found, searched } = hunt
    const change = found.length > 0 ? found.map(editsOf) : null
    if (searched !== undefined) return { change, searched }
    if (change) return { change }
    const at = hunt.judged ?? (await this.#attempts.try([]))
    return { change, ...(at ? { obstacle: await this.#obstacle(plugin, at) } : {}) }
  }

  async #obstacle(plugin: AnyPlugin, at: Attempt): Promise<Obstacle> {
    const { rule, missing, forbidden } = await at.entryOf(plugin)
    const isMissing = rule === 'missing tags'
    return {
      rule,
      tags: isMissing ? missing : forbidden,
      unprovided: isMissing ? await this.#whyOff.unprovided(plugin, at) : [],
      reads: rule === 'own verdict' ? (await at.readsOf(plugin)).pointers : [],
    }
  }
}
