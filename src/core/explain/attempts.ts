import { type Config, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { type Resolved, type ResolveOptions, resolve, type TraceEntry } from '../resolve/index.ts'
import { applyEdits } from './edits.ts'
import { Reads, watched } from './reads.ts'
import { type Edited, editsOf, type Steps } from './steps.ts'

/** The verdict of a resolution on a plugin. */
export type Judged = Omit<TraceEntry, 'plugin' | 'kind'>

/** A config with some edits, resolved as a request resolves it. */
export interface Attempt extends Edited {
  entryOf(plugin: AnyPlugin): Judged
  /** What the hooks of a plugin read. The first call resolves the config again. */
  readsOf(plugin: AnyPlugin): Promise<Reads>
}

/** The input of all searches of one `explain`. */
export interface Situation {
  readonly plugins: readonly AnyPlugin[]
  readonly config: Config
  /** The resolution of the unchanged config. */
  readonly resolved: Resolved
  /** The entries of the plugins that the lists of the unchanged config keep out. */
  readonly out: ReadonlyMap<string, Judged>
  readonly options: ResolveOptions
  /** The plugins with a hook that did not answer in time. No search waits for them again. */
  readonly hung: Set<AnyPlugin>
  /** The judgments of plugins that all searches have made. */
  readonly work: { spent: number }
}

/** The work of a resolution in addition to its judgments, in judgments. */
const COST_OF_RESOLUTION = 10

/** The entry of a plugin that does not matter to a search. */
const OUT: Judged = { on: false, round: 0, rule: 'other provider', missing: [], forbidden: [] }

/** Resolves a config with edits, with only the plugins that matter to a search. */
export class Attempts {
  readonly #situation: Situation
  readonly #plugins: readonly AnyPlugin[]

  constructor(situation: Situation, plugins: readonly AnyPlugin[]) {
    this.#situation = situation
    this.#plugins = plugins
  }

  /** The config without edits. */
  get unchanged(): Attempt {
    return this.#attempt([], this.#situation.resolved)
  }

  /** Resolves the config with edits. Undefined if the provider fails. */
  async try(steps: Steps): Promise<Attempt | undefined> {
    const resolved = await this.#resolve(steps, (plugin) => plugin)
    return HostError.is(resolved) ? undefined : this.#attempt(steps, resolved)
  }

  #attempt(steps: Steps, resolved: Resolved): Attempt {
    const { out } = this.#situation
    const entries = new Map(resolved.resolution.trace.map((entry) => [entry.plugin, entry]))
    let watching: Promise<ReadonlyMap<AnyPlugin, Reads>> | undefined
    return {
      steps,
      resolved,
      entryOf: ({ name }) => entries.get(name) ?? out.get(name) ?? OUT,
      readsOf: async (plugin) => {
        watching ??= this.#watch(steps)
        return (await watching).get(plugin) ?? new Reads()
      },
    }
  }

  /** Resolves again and watches the hooks. A plugin that fails because it is watched counts as reading everything. */
  async #watch(steps: Steps): Promise<ReadonlyMap<AnyPlugin, Reads>> {
    const opaque = new Set<string>()
    for (;;) {
      const reads = new Map(this.#plugins.map((plugin) => [plugin, new Reads()]))
      for (const [plugin, read] of reads) if (opaque.has(plugin.name)) read.readAll()
      const resolved = await this.#resolve(steps, (plugin) =>
        opaque.has(plugin.name) ? plugin : watched(plugin, reads.get(plugin) ?? new Reads()),
      )
      const failed = HostError.is(resolved) ? [resolved] : [...resolved.threw.values()]
      const fresh = failed.flatMap(({ plugin = '' }) => (opaque.has(plugin) ? [] : [plugin]))
      if (fresh.length === 0) return reads
      for (const name of fresh) opaque.add(name)
    }
  }

  async #resolve(steps: Steps, shown: (plugin: AnyPlugin) => AnyPlugin) {
    const { config, options, work } = this.#situation
    const plugins = this.#plugins.filter(this.#mayTakePart(steps))
    work.spent += plugins.length + COST_OF_RESOLUTION
    try {
      const edited = applyEdits(config, editsOf(steps))
      const resolved = await resolve(plugins.map(shown), edited, options)
      for (const error of resolved.threw.values()) this.#noteHung(error)
      return resolved
    } catch (error) {
      if (!HostError.is(error)) throw error
      if (HostError.is(error.cause)) this.#noteHung(error.cause)
      return error
    }
  }

  /** Plugins that the lists keep out do not affect a resolution. Leaving them out saves time. */
  #mayTakePart(steps: Steps): (plugin: AnyPlugin) => boolean {
    const { out, hung } = this.#situation
    const named = new Set(steps.map(({ edit }) => ('plugin' in edit ? edit.plugin : '')))
    return (plugin) => !hung.has(plugin) && (!out.has(plugin.name) || named.has(plugin.name))
  }

  #noteHung({ code, plugin }: HostError): void {
    const found = code === 'TIMEOUT' && this.#plugins.find(({ name }) => name === plugin)
    if (found) this.#situation.hung.add(found)
  }
}
