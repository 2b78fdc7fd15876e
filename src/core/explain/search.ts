import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Rule } from '../resolve/index.ts'
import { type Attempt, Attempts, type Situation } from './attempts.ts'
import { type Edit, editsOf } from './edits.ts'
import { Hunt } from './hunt.ts'
import { Influence } from './influence.ts'
import type { Observer } from './observer.ts'
import { PossibleSteps } from './possible-steps.ts'
import { WhyOff } from './why-off.ts'

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
  readonly #observer: Observer
  readonly #attempts: Attempts
  readonly #possible: PossibleSteps
  readonly #whyOff: WhyOff

  constructor(situation: Situation) {
    const { plugins, config, choices, offers, observer } = situation
    this.#observer = observer
    this.#attempts = new Attempts(situation)
    this.#possible = new PossibleSteps(plugins, config)
    this.#whyOff = new WhyOff(this.#possible, new Influence(this.#possible, choices, offers))
  }

  /** The smallest changes that turn on a plugin that is off. */
  async changesFor(plugin: AnyPlugin): Promise<Changes> {
    const observer = this.#observer
    // Half of what is left, so that no search takes all.
    const end = observer.spent + Math.max(0, MOST_WORK - observer.spent) / 2
    let tries = 0
    const hunt = new Hunt(plugin, {
      possible: this.#possible,
      whyOff: this.#whyOff,
      attempts: this.#attempts,
      isSpent: () => tries++ >= FEWEST_TRIES && observer.spent >= end,
    })
    await hunt.run()
    const change = hunt.found.length > 0 ? hunt.found.map(editsOf) : null
    if (hunt.isCut) return { change, searched: false }
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
