import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import { Attempts, type Situation } from './attempts.ts'
import { type Edit, editsOf } from './edits.ts'
import { Hunt } from './hunt.ts'
import { Influence } from './influence.ts'
import type { Offering } from './offers.ts'
import { PossibleSteps } from './possible-steps.ts'
import { type Obstacle, WhyOff } from './why-off.ts'

/** The work of all searches together, in judgments of plugins: this, or for many plugins as much for each. */
const MOST_WORK = 100_000
const MOST_WORK_PER_PLUGIN = 100
/** The work for a plugin however much others took, so that simple changes are found. After twice the limit, only for cheap ones. */
const RESERVE = 200
/** The largest work of judging a plugin that is cheap. */
const CHEAP = 20

/** The changes that turn a plugin on. */
export interface Changes {
  /** All smallest sets of edits. Null if there are none. */
  readonly change: readonly (readonly Edit[])[] | null
  readonly obstacle?: Obstacle
  readonly searched?: number
}

/** Searches for the smallest changes of a config that turn plugins on. */
export class Search {
  readonly #attempts: Attempts
  readonly #possible: PossibleSteps
  readonly #whyOff: WhyOff
  readonly #mostWork: number

  constructor(situation: Situation) {
    const { plugins, config } = situation
    this.#attempts = new Attempts(situation)
    this.#possible = new PossibleSteps(plugins, config)
    const { choices, offers } = this.#attempts
    this.#whyOff = new WhyOff(this.#possible, new Influence(this.#possible, choices, offers))
    this.#mostWork = Math.max(MOST_WORK, MOST_WORK_PER_PLUGIN * plugins.length)
  }

  /** The tags that plugins offer for the unchanged config. Undefined if the provider fails when it is asked again. */
  async offering(): Promise<Offering | undefined> {
    return (await this.#attempts.try([]))?.offering
  }

  /** The smallest changes that turn on a plugin that is off. */
  async changesFor(plugin: AnyPlugin): Promise<Changes> {
    const hunt = new Hunt(plugin, {
      possible: this.#possible,
      whyOff: this.#whyOff,
      attempts: this.#attempts,
      mostWork: await this.#mostWorkFor(plugin),
    })
    await hunt.run()
    const { found, searched } = hunt
    const change = found.length > 0 ? found.map(editsOf) : null
    if (searched !== undefined) return { change, searched }
    if (change) return { change }
    const at = hunt.judged ?? (await this.#attempts.try([]))
    return { change, ...(at ? { obstacle: await this.#whyOff.obstacle(plugin, at) } : {}) }
  }

  /** Half of the work that is left, so that no search does all, or the reserve. */
  async #mostWorkFor(plugin: AnyPlugin): Promise<number> {
    const left = this.#mostWork - this.#attempts.observer.spent
    if (left / 2 > RESERVE) return left / 2
    return left > -this.#mostWork || (await this.#isCheap(plugin)) ? RESERVE : 0
  }

  async #isCheap(plugin: AnyPlugin): Promise<boolean> {
    if (hasHook(plugin, 'isEnabled')) return false
    const at = await this.#attempts.try([])
    return at !== undefined && (await at.costOf(plugin)) <= CHEAP
  }
}
