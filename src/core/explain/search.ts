import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Rule } from '../resolve/index.ts'
import { type Attempt, Attempts, type ChangeSearch } from './attempts.ts'
import type { Edit } from './edits.ts'
import type { Edited, Steps } from './steps.ts'
import { WhyOff } from './why-off.ts'

/** The most smallest sets of edits that are told for a plugin. */
const MOST_SETS = 100

/** The tries that a plugin has that is no candidate. */
const FEWEST_TRIES = 2

/** The changes that turn a plugin on. */
export interface Changes {
  /** The smallest sets of edits. */
  readonly found: readonly (readonly Edit[])[]
  /** Whether these are all. */
  readonly isComplete: boolean
  /** The reason why the plugin is still off after the edits that make it a candidate, if nothing turns it on. */
  readonly obstacle?: Obstacle
}

/** The reason why no change turns a plugin on. */
export interface Obstacle {
  /** The rule that keeps the plugin off when it is a candidate. */
  readonly rule: Rule
  /** The tags that are missing, or forbidden, by that rule. */
  readonly tags: readonly string[]
  /** The tags that it, or a plugin that it needs, requires, and that no plugin provides with any provider and model. */
  readonly unprovided: readonly string[]
}

/** One search, for one plugin. */
interface Hunt {
  readonly plugin: AnyPlugin
  readonly found: Steps[]
  readonly seen: Set<string>
  /** Whether a set of the size that was tried last was left out. */
  isCut: boolean
  /** Whether a set of the next size was left out. */
  isNextCut: boolean
  /** The first try in which the plugin is a candidate. */
  judged?: Attempt
}

/** Searches for the smallest changes of a config that turn plugins on. */
export class Search {
  readonly #attempts: Attempts
  readonly #whyOff: WhyOff

  constructor(search: ChangeSearch) {
    this.#attempts = new Attempts(search)
    this.#whyOff = new WhyOff(this.#attempts)
  }

  /**
   * Tries sets of edits from the smallest to the largest. A set that fails is extended only by edits of which every
   * change that contains the set needs one. So the first sets found are the smallest, and none is missed.
   */
  async changesFor(plugin: AnyPlugin, isCandidate: boolean): Promise<Changes> {
    const { budget, costOfTry } = this.#attempts
    // So that a plugin that is only off by default is explained, whatever the others are like.
    budget.begin(isCandidate ? 0 : FEWEST_TRIES * costOfTry)
    const hunt: Hunt = { plugin, found: [], seen: new Set(), isCut: false, isNextCut: false }
    for (let sets: readonly Steps[] = [[]]; sets.length > 0 && hunt.found.length === 0; ) {
      sets = await this.#tryAll(sets, hunt)
      if (hunt.found.length === 0) hunt.isCut ||= hunt.isNextCut
    }
    return this.#changesOf(hunt)
  }

  async #changesOf({ plugin, found, isCut, judged }: Hunt): Promise<Changes> {
    const edits = found.sort(byRank).map((steps) => steps.map(({ edit }) => edit))
    const isHopeless = found.length === 0 && !isCut && judged !== undefined
    const obstacle = isHopeless ? { obstacle: await this.#obstacle(plugin, judged) } : {}
    return { found: edits, isComplete: !isCut, ...obstacle }
  }

  /** Tries sets of one size. Returns the sets of the next size. */
  async #tryAll(sets: readonly Steps[], hunt: Hunt): Promise<readonly Steps[]> {
    const next: Steps[] = []
    for (const steps of sets) {
      if (hunt.found.some((other) => differsInModel(steps, other))) continue
      const isOver = this.#attempts.budget.isSpent || hunt.found.length === MOST_SETS
      hunt.isCut ||= isOver
      if (isOver) break
      const at = await this.#attempts.try(steps)
      if (!at) continue
      if (at.entryOf(hunt.plugin).round > 0) hunt.judged ??= at
      if (isDone(hunt.plugin, at)) hunt.found.push(steps)
      else if (hunt.found.length === 0) next.push(...(await this.#extend(at, hunt)))
    }
    return next
  }

  /** The sets with one more edit. */
  async #extend(at: Attempt, hunt: Hunt): Promise<readonly Steps[]> {
    const { on } = at.entryOf(hunt.plugin)
    const steps = on
      ? await this.#whyOff.stepsForModel(at)
      : await this.#whyOff.stepsFor(hunt.plugin, at)
    const { budget } = this.#attempts
    const sets: Steps[] = []
    for (const step of steps) {
      const set = [...at.steps, step].sort((one, other) => one.rank - other.rank)
      const key = JSON.stringify(set.map(({ edit }) => edit))
      if (hunt.seen.has(key)) continue
      budget.spend(1)
      hunt.isNextCut ||= budget.isSpent
      if (budget.isSpent) break
      hunt.seen.add(key)
      sets.push(set)
    }
    return sets
  }

  async #obstacle(plugin: AnyPlugin, at: Attempt): Promise<Obstacle> {
    const { rule, missing, forbidden } = at.entryOf(plugin)
    const unprovided = rule === 'missing tags' ? await this.#whyOff.unprovided(plugin, at) : []
    return { rule, tags: rule === 'missing tags' ? missing : forbidden, unprovided }
  }
}

/** Whether a plugin is on, and another provider that is chosen for it offers the model of the config. */
function isDone(plugin: AnyPlugin, at: Attempt): boolean {
  return at.entryOf(plugin).on && (isOffered(at) || isOpen(plugin, at))
}

function isOffered({ steps, resolved }: Edited): boolean {
  const { model, models } = resolved.resolution
  const isSet = steps.some(({ edit }) => edit.edit === 'set')
  return !isSet || model === undefined || models.includes(model)
}

/** Whether a plugin is a provider that lists no models, which may offer any. */
function isOpen({ kind }: AnyPlugin, { resolved }: Edited): boolean {
  return kind === 'provider' && resolved.resolution.models.length === 0
}

/** Whether two sets choose another provider, and differ only in its model. */
function differsInModel(one: Steps, other: Steps): boolean {
  return (
    setsProvider(one) && one.length === other.length && withoutModel(one) === withoutModel(other)
  )
}

function setsProvider(steps: Steps): boolean {
  return steps.some(({ edit }) => 'provider' in edit)
}

function withoutModel(steps: Steps): string {
  return JSON.stringify(steps.filter(({ edit }) => !('model' in edit)))
}

/** Sets that keep the provider come first, then the order of registration. */
function byRank(one: Steps, other: Steps): number {
  const difference = Number(setsProvider(one)) - Number(setsProvider(other))
  if (difference !== 0) return difference
  const at = one.findIndex((step, index) => step.rank !== other[index]?.rank)
  return (one[at]?.rank ?? 0) - (other[at]?.rank ?? 0)
}
