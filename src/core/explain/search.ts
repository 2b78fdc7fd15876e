import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import type { Attempts } from './attempts.ts'
import { type Edit, editsOf } from './edits.ts'
import { Hunt } from './hunt.ts'
import { type Obstacle, obstacleOf } from './why-off.ts'

/** The work of all searches together, in judgments of plugins: this, or for many plugins as much for each. */
const MOST_WORK = 100_000
const MOST_WORK_PER_PLUGIN = 100
/** The work for a plugin however much others took, so that simple changes are found. After twice the limit, only for cheap ones. */
const RESERVE = 200
/** The largest work of judging a plugin that is cheap. */
const CHEAP = 20

/** The changes that turn a plugin on. */
export interface Changes {
  /**
   * All smallest sets of at most four edits that turn the plugin on, each verified by a resolution. Null if there are
   * none, or the plugin is on. A set that chooses another provider names a model only if it must, and then the first
   * that works.
   */
  readonly change: readonly (readonly Edit[])[] | null
  /** The reason why no change turns the plugin on. */
  readonly obstacle?: Obstacle
  /**
   * Present if the search reached its limit: all sets of at most this many edits were searched, but not all larger
   * ones. There may be more sets in `change`, or one at all.
   */
  readonly searched?: number
}

/** Searches for the smallest changes of a config that turn plugins on. */
export class Search {
  readonly #attempts: Attempts
  readonly #mostWork: number

  constructor(attempts: Attempts) {
    this.#attempts = attempts
    this.#mostWork = Math.max(MOST_WORK, MOST_WORK_PER_PLUGIN * attempts.plugins.length)
  }

  /** The smallest changes that turn on a plugin that is off. */
  async changesFor(plugin: AnyPlugin): Promise<Changes> {
    const hunt = new Hunt(plugin, this.#attempts, await this.#mostWorkFor(plugin))
    await hunt.run()
    const { found, searched } = hunt
    const change = found.length > 0 ? found.map(editsOf) : null
    if (searched !== undefined) return { change, searched }
    const at = hunt.judged ?? (await this.#attempts.try([]))
    return change || !at ? { change } : { change, obstacle: await obstacleOf(plugin, at) }
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
