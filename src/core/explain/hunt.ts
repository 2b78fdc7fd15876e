import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Attempt, Attempts } from './attempts.ts'
import {
  editsOf,
  keyOf,
  type Step,
  type Steps,
  setsModel,
  setsProvider,
  withoutModel,
  withStep,
} from './edits.ts'
import { coverForModel, coversFor, smallestOf } from './why-off.ts'

/** The largest change that is searched, in edits. */
const MOST_EDITS = 4
/** The most smallest changes that are told for a plugin. */
const MOST_CHANGES = 100

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
  readonly #attempts: Attempts
  readonly #lastWork: number
  readonly #covers = new Map<Attempt, readonly Steps[]>()
  /** The number of edits up to which it searches. */
  #size = 0

  /** @param mostWork the work that the hunt may do */
  constructor(plugin: AnyPlugin, attempts: Attempts, mostWork: number) {
    this.#plugin = plugin
    this.#attempts = attempts
    this.#lastWork = attempts.observer.spent + mostWork
  }

  async run(): Promise<void> {
    let size = 0
    while (size <= MOST_EDITS && this.found.length === 0 && this.searched === undefined) {
      this.#size = size
      size = await this.#visit([], new Set())
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
    const at = this.#isOver(steps) ? undefined : await this.#attempts.try(steps)
    if (!at) return Number.POSITIVE_INFINITY
    if (await this.#isDone(at)) {
      this.#keep(steps)
      return edits
    }
    // Covers are only needed to go on from a set.
    if (edits === this.#size && !lacksModel(steps)) return edits + 1
    return this.#visitLarger(at, edits, seen)
  }

  /** Visits the sets that contain one more step of the smallest cover. */
  async #visitLarger(at: Attempt, edits: number, seen: Set<string>): Promise<number> {
    const covers = this.#covers.get(at) ?? (await this.#coversOf(at))
    this.#covers.set(at, covers)
    const least = edits + fewest(covers, at.steps)
    if (least > this.#size) return least
    let next = Number.POSITIVE_INFINITY
    for (const step of smallestOf(covers)) {
      if (this.searched !== undefined) break
      next = Math.min(next, await this.#visit(withStep(at.steps, step), seen))
    }
    return next
  }

  /** Whether a limit is reached. A set that another search has tried costs no work. */
  #isOver(steps: Steps): boolean {
    const isSpent =
      this.#attempts.observer.spent >= this.#lastWork && !this.#attempts.wasTried(steps)
    const isOver = isSpent || this.found.length === MOST_CHANGES
    if (isOver) this.searched = this.#size - 1
    return isOver
  }

  async #isDone(at: Attempt): Promise<boolean> {
    const { on, round } = await at.entryOf(this.#plugin)
    if (round > 0) this.judged ??= at
    return on && at.possible.isModelDone
  }

  /** The covers of an attempt that fails. */
  async #coversOf(at: Attempt): Promise<readonly Steps[]> {
    const { on } = await at.entryOf(this.#plugin)
    return on ? [coverForModel(at)] : coversFor(this.#plugin, at)
  }

  #keep(steps: Steps): void {
    const at = this.#foundAt(steps)
    if (at >= 0) this.found[at] = steps
    else this.found.push(steps)
  }

  /** The place of the set that was found and differs only in the model of another provider. Below 0 if none was. */
  #foundAt(steps: Steps): number {
    if (!setsProvider(steps)) return -1
    const key = keyOf(withoutModel(steps))
    return this.found.findIndex((other) => keyOf(withoutModel(other)) === key)
  }

  /** Whether a set only differs in the model from one that was found, which has an earlier model of a provider. */
  async #isWorse(steps: Steps): Promise<boolean> {
    const found = this.found[this.#foundAt(steps)]
    return found !== undefined && (await this.#modelPlace(found)) < (await this.#modelPlace(steps))
  }

  /** The place of the model of a set in the list that the provider offers without it. */
  async #modelPlace(steps: Steps): Promise<number> {
    const others = withoutModel(steps)
    const [model] = steps.flatMap(({ edit }) => ('model' in edit ? edit.model : []))
    if (model === undefined) return -1
    const at = await this.#attempts.try(others)
    return at?.choice.models.indexOf(model) ?? -1
  }
}

/** The fewest edits that take a step from each cover. Only covers that have no edit in common add up. */
function fewest(covers: readonly Steps[], steps: Steps): number {
  const used = new Set<number>()
  let least = 0
  for (const cover of [...covers].sort((one, other) => one.length - other.length)) {
    if (cover.length === 0) return Number.POSITIVE_INFINITY
    if (cover.some((step) => used.has(editRank(step)))) continue
    if (covers.length > 1) for (const step of cover) used.add(editRank(step))
    // The model of another provider is no edit of its own.
    if (!(setsProvider(steps) && setsModel(cover))) least++
  }
  return least
}

/** Identifies the edit that a step is part of. A provider and its model are one. */
function editRank({ edit, rank }: Step): number {
  return edit.edit === 'set' ? -1 : rank
}

/** Whether the model of a set may be chosen without another edit. */
function lacksModel(steps: Steps): boolean {
  return setsProvider(steps) && !setsModel(steps)
}

/** The order of registration. */
function byRank(one: Steps, other: Steps): number {
  const [left, right] = [ranksOf(one), ranksOf(other)]
  const at = left.findIndex((rank, index) => rank !== right[index])
  return (left[at] ?? 0) - (right[at] ?? 0)
}

/** The ranks of the edits of a set. The model of another provider does not count. */
function ranksOf(steps: Steps): readonly number[] {
  return (setsProvider(steps) ? withoutModel(steps) : steps).map(({ rank }) => rank)
}
