import { type Config, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { type Resolved, type ResolveOptions, resolve, type TraceEntry } from '../resolve/index.ts'
import { Budget } from './budget.ts'
import { applyEdits } from './edits.ts'
import { type Reads, Watch } from './reads.ts'
import type { Edited, Steps } from './steps.ts'

/** The verdict of a resolution on a plugin. */
export type Judged = Omit<TraceEntry, 'plugin' | 'kind'>

/** A config with some edits, resolved as a request resolves it. */
export interface Attempt extends Edited {
  entryOf(plugin: AnyPlugin): Judged
  /** What the hooks of a plugin read. The first call resolves the config again. */
  readsOf(plugin: AnyPlugin): Promise<Reads>
}

/** The input of a search for changes. */
export interface ChangeSearch {
  readonly plugins: readonly AnyPlugin[]
  readonly config: Config
  /** The resolution of the unchanged config. */
  readonly resolved: Resolved
  readonly options: ResolveOptions
}

/** The work of a resolution in addition to its judgments. */
const COST_OF_RESOLUTION = 10
/** The work of a watched resolution, in plain ones. */
const COST_OF_WATCHING = 4

/** The entry of a plugin that is not registered. */
const OUT: Judged = { on: false, round: 0, rule: 'other provider', missing: [], forbidden: [] }

/** Resolves a config with edits. */
export class Attempts {
  readonly search: ChangeSearch
  readonly budget = new Budget()
  /** The plugins that may be candidates without edits of the lists. Others do not affect a resolution. */
  readonly insiders: readonly AnyPlugin[]
  readonly #trace: ReadonlyMap<string, TraceEntry>
  readonly #places: ReadonlyMap<AnyPlugin, number>
  readonly #byName: ReadonlyMap<string, AnyPlugin>
  readonly #opaque = new Set<string>()
  readonly #known = new Map<string, Promise<Attempt | undefined>>()

  constructor(search: ChangeSearch) {
    const { plugins, resolved } = search
    this.search = search
    this.#trace = traceOf(resolved)
    this.#places = new Map(plugins.map((plugin, at) => [plugin, at]))
    this.#byName = new Map(plugins.map((plugin) => [plugin.name, plugin]))
    this.insiders = plugins.filter(({ name }) => !isOut(this.#trace.get(name)))
  }

  get costOfTry(): number {
    return this.insiders.length + COST_OF_RESOLUTION
  }

  /** Resolves the config with edits. Undefined if the provider fails. */
  try(steps: Steps): Promise<Attempt | undefined> {
    if (steps.some(({ edit }) => edit.edit !== 'set')) return this.#try(steps)
    const key = JSON.stringify(steps)
    const known = this.#known.get(key) ?? this.#try(steps)
    this.#known.set(key, known)
    return known
  }

  async #try(steps: Steps): Promise<Attempt | undefined> {
    const { resolved } = await this.#resolve(steps, this.search.options)
    if (!resolved) return undefined
    const trace = traceOf(resolved)
    const entryOf = ({ name }: AnyPlugin) => trace.get(name) ?? this.#trace.get(name) ?? OUT
    let watch: Promise<Watch> | undefined
    const readsOf = async (plugin: AnyPlugin) => {
      watch ??= this.#watch(steps)
      return (await watch).of(plugin)
    }
    return { steps, resolved, entryOf, readsOf }
  }

  /** Resolves again and watches the hooks. A plugin that fails because it is watched counts as reading everything. */
  async #watch(steps: Steps): Promise<Watch> {
    for (;;) {
      const watch = new Watch(this.#opaque)
      const { argsOf } = watch
      this.budget.spend((COST_OF_WATCHING - 1) * this.costOfTry)
      const { failed } = await this.#resolve(steps, { ...this.search.options, argsOf })
      const isNew = failed.some((name) => !this.#opaque.has(name))
      for (const name of failed) this.#opaque.add(name)
      if (!isNew) return watch
    }
  }

  async #resolve(steps: Steps, options: ResolveOptions) {
    this.budget.spend(this.costOfTry)
    const edits = steps.map(({ edit }) => edit)
    const config = applyEdits(this.search.config, edits)
    const named = edits.map((edit) => (edit.edit === 'set' ? '' : edit.plugin))
    try {
      const resolved = await resolve(this.#withPlugins(named), config, options)
      const threw = [...traceOf(resolved).values()].filter(({ rule }) => rule === 'threw')
      return { resolved, failed: threw.map(({ plugin }) => plugin) }
    } catch (error) {
      if (!HostError.is(error)) throw error
      return { failed: error.plugin === undefined ? [] : [error.plugin] }
    }
  }

  #withPlugins(names: readonly string[]): readonly AnyPlugin[] {
    const named = names.flatMap((name) => this.#byName.get(name) ?? [])
    const all = [...new Set([...this.insiders, ...named])]
    if (all.length === this.insiders.length) return all
    const placeOf = (plugin: AnyPlugin) => this.#places.get(plugin) ?? 0
    return all.sort((one, other) => placeOf(one) - placeOf(other))
  }
}

function isOut(entry: TraceEntry | undefined): boolean {
  return entry?.rule === 'disabled' || entry?.rule === 'off by default'
}

function traceOf({ resolution }: Resolved): ReadonlyMap<string, TraceEntry> {
  return new Map(resolution.trace.map((entry) => [entry.plugin, entry]))
}
