import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Attempt, Attempts } from './attempts.ts'
import { editsOf, type Step, type Steps, setsModel, setsProvider } from './edits.ts'
import type { PossibleSteps } from './possible-steps.ts'
import { smallestOf, type WhyOff } from './why-off.ts'

/** The largest change that is searched, in edits. */
const MOST_EDITS = 4
/** The most smallest changes that are told for a plugin. */
const MOST_CHANGES = 100

/** A set of steps that was tried. */
interface Tried {
  readonly at: Attempt | undefined
  readonly isDone: boolean
  /** If the set fails, the steps of which one is in every larger set that does not. */
  readonly cover: Steps
  /** The fewest edits of a larger set that may not fail. */
  readonly least: number
}

export interface HuntOptions {
  readonly possible: PossibleSteps
  readonly whyOff: WhyOff
  readonly attempts: Attempts
  /** Whether the limit of work is reached. */
  readonly isSpent: () => boolean
}

/**
 * The search for the smallest changes that turn one plugin on. It goes deeper only along covers, so that no change is
 * missed, and only where the covers do not show that more edits are needed than the size that it searches.
 */
export class Hunt {
  /** The smallest sets of steps that turn the plugin on. */
  readonly found: Steps[] = []
  /** The size up to which all sets were searched, if a limit ended the search. */
  searched: number | undefined
  /** The first attempt in which the plugin is a candidate. */
  judged: Attempt | undefined
  readonly #plugin: AnyPlugin
  readonly #options: HuntOptions
  readonly #tried = new Map<string, Tried>()
  /** The number of edits up to which it searches. */
  #size = 0

  constructor(plugin: AnyPlugin, options: HuntOptions) {
    this.#plugin = plugin
    this.#options = options
  }

  async run(): Promise<void> {
    let size = 0
    while (size <= MOST_EDITS && this.found.length === 0) {
      this.#size = size
      size = await this.#visit([], new Set())
      if (this.searched !== undefined) break
    }
    this.found.sort(byRank)
  }

  /** Tries a set and those that contain it, up to the size. Returns the next size to search. */
  async #visit(steps: Steps, seen: Set<string>): Promise<number> {
    const key = keyOf(steps)
    if (seen.has(key) || (await this.#isWorse(steps))) return Number.POSITIVE_INFINITY
    seen.add(key)
    const edits = editsOf(steps).length
    if (edits > this.#size) return edits
    const { isDone, cover, least } = await this.#try(key, steps)
    if (isDone) this.#keep(steps)
    if (isDone || least > this.#size) return least
    let next = Number.POSITIVE_INFINITY
    for (const step of cover) {
      if (this.#isOver()) break
      const set = [...steps, step].sort((one, other) => one.rank - other.rank)
      next = Math.min(next, await this.#visit(set, seen))
    }
    return next
  }

  #keep(steps: Steps): void {
    const worse = setsProvider(steps) ? withoutModel(steps) : undefined
    const at = this.found.findIndex((other) => withoutModel(other) === worse)
    if (at >= 0) this.found[at] = steps
    else this.found.push(steps)
  }

  #isOver(): boolean {
    const isOver = this.#options.isSpent() || this.found.length === MOST_CHANGES
    if (isOver) this.searched = this.#size - 1
    return isOver
  }

  async #try(key: string, steps: Steps): Promise<Tried> {
    const known = this.#tried.get(key)
    if (known) return known
    const at = await this.#options.attempts.try(steps)
    const tried = at ? await this.#judge(at) : { at, isDone: false, cover: [], least: Infinity }
    this.#tried.set(key, tried)
    return tried
  }

  async #judge(at: Attempt): Promise<Tried> {
    const { possible, whyOff } = this.#options
    const { on, round } = await at.entryOf(this.#plugin)
    if (round > 0) this.judged ??= at
    const size = editsOf(at.steps).length
    if (on && possible.isModelDone(at)) return { at, isDone: true, cover: [], least: size }
    const covers = on ? [whyOff.coverForModel(at)] : await whyOff.covers(this.#plugin, at)
    return { at, isDone: false, cover: smallestOf(covers), least: size + fewest(covers, at.steps) }
  }

  /** Whether a set only differs in the model from one that was found, which has an earlier model of a provider. */
  async #isWorse(steps: Steps): Promise<boolean> {
    if (!setsProvider(steps)) return false
    const others = withoutModel(steps)
    const found = this.found.find((other) => withoutModel(other) === others)
    return found !== undefined && (await this.#modelPlace(found)) < (await this.#modelPlace(steps))
  }

  /** The place of the model of a set in the list that the provider offers without it. */
  async #modelPlace(steps: Steps): Promise<number> {
    const model = steps.map(({ edit }) => ('model' in edit ? edit.model : undefined)).find(Boolean)
    if (model === undefined) return -1
    const at = await this.#options.attempts.try(steps.filter(({ edit }) => !('model' in edit)))
    return at?.choice.models.indexOf(model) ?? -1
  }
}

/** The fewest edits that take a step from each cover. Only covers that have no edit in common add up. */
function fewest(covers: readonly Steps[], steps: Steps): number {
  const used = new Set<number>()
  let least = 0
  for (const cover of [...covers].sort((one, other) => one.length - other.length)) {
    if (cover.length === 0) return Number.POSITIVE_INFINITY
    const edits = cover.map(editRank)
    if (edits.some((rank) => used.has(rank))) continue
    for (const rank of edits) used.add(rank)
    // The model of another provider is no edit of its own.
    const isFree = setsProvider(steps) && setsModel(cover)
    if (!isFree) least++
  }
  return least
}

/** Identifies the edit that a step is part of. A provider and its model are one. */
function editRank({ edit, rank }: Step): number {
  return edit.edit === 'set' ? -1 : rank
}

function keyOf(steps: Steps): string {
  return JSON.stringify(steps.map(({ edit }) => edit))
}

function withoutModel(steps: Steps): string {
  return keyOf(steps.filter(({ edit }) => !('model' in edit)))
}

/** The order of registration. */
function byRank(one: Steps, other: Steps): number {
  const [left, right] = [ranksOf(one), ranksOf(other)]
  const at = left.findIndex((rank, index) => rank !== right[index])
  return (left[at] ?? 0) - (right[at] ?? 0)
}

/** The ranks of the edits of a set. The model of another provider does not count. */
function ranksOf(steps: Steps): readonly number[] {
  const counted = setsProvider(steps) ? steps.filter(({ edit }) => !('model' in edit)) : steps
  return counted.map(({ rank }) => rank)
}
