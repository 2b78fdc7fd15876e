import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import type { Attempts } from './attempts.ts'
import { type Edit, editsOf } from './edits.ts'
import { Hunt } from './hunt.ts'
import { type Obstacle, obstacleOf } from './why-off.ts'

/** The work of all searches together, in judgments of plugins: this, or for many plugins as much for each. */
const MOST_WORK = 100_000
const MOST_WORK_PER_PLUGIN = 100
/** The work for each plugin however much others took, so that simple changes are found. */
const RESERVE = 200
/** The work of judging a plugin that has its reserve even after twice the limit. */
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

/** Searches for the smallest changes that turn on a plugin that is off. */
export async function changesFor(plugin: AnyPlugin, attempts: Attempts): Promise<Changes> {
  const hunt = new Hunt(plugin, attempts, await mostWorkFor(plugin, attempts))
  await hunt.run()
  const { found, searched } = hunt
  const change = found.length > 0 ? found.map(editsOf) : null
  if (searched !== undefined) return { change, searched }
  const at = hunt.judged ?? (await attempts.try([]))
  return change || !at ? { change } : { change, obstacle: await obstacleOf(plugin, at) }
}

/** Half of the work that is left, so that no search does all, or the reserve. */
async function mostWorkFor(plugin: AnyPlugin, attempts: Attempts): Promise<number> {
  const most = Math.max(MOST_WORK, MOST_WORK_PER_PLUGIN * attempts.plugins.length)
  const left = most - attempts.observer.spent
  if (left / 2 > RESERVE) return left / 2
  return left > -most || (await isCheap(plugin, attempts)) ? RESERVE : 0
}

async function isCheap(plugin: AnyPlugin, attempts: Attempts): Promise<boolean> {
  if (hasHook(plugin, 'isEnabled')) return false
  const at = await attempts.try([])
  return at !== undefined && (await at.costOf(plugin)) <= CHEAP
}
