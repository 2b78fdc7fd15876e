import { type Config, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import { askForTags, type Resolved, type ResolveOptions, resolve } from '../resolve/index.ts'
import { type Keys, Reads, watched } from './reads.ts'

/** A resolution, and what the hooks of its plugins read. */
export interface Observed {
  /** Undefined if the provider fails. */
  readonly resolved: Resolved | undefined
  readonly reads: ReadonlyMap<AnyPlugin, Reads>
}

/** The tags of a plugin for a config, and what they depend on. */
export interface Offer {
  readonly tags: readonly string[]
  readonly keys: Keys
}

/** The work of a resolution in addition to its judgments, in judgments. */
const COST_OF_RESOLUTION = 10

/** Resolves configs and asks hooks for `explain`, and records what the hooks read. */
export class Observer {
  /** The judgments of plugins and questions to hooks until now. */
  spent = 0
  readonly #options: ResolveOptions
  /** The names of plugins with a hook that did not answer in time. They are not asked again. */
  readonly #hung = new Set<string>()

  constructor(options: ResolveOptions, { settled: { threw } }: Resolved) {
    this.#options = options
    for (const error of threw.values()) this.#note(error)
  }

  async resolve(plugins: readonly AnyPlugin[], config: Config): Promise<Observed> {
    const asked = plugins.filter(({ name }) => !this.#hung.has(name))
    const reads = new Map(asked.map((plugin) => [plugin, new Reads()]))
    const shown = [...reads].map(([plugin, read]) => watched(plugin, read))
    this.spent += shown.length + COST_OF_RESOLUTION
    try {
      const resolved = await resolve(shown, config, this.#options)
      for (const error of resolved.settled.threw.values()) this.#note(error)
      return { resolved, reads }
    } catch (error) {
      if (!HostError.is(error)) throw error
      this.#note(error)
      return { resolved: undefined, reads }
    }
  }

  /** The tags that a plugin provides for a config, whether it is on or off. */
  async offer(plugin: AnyPlugin, config: Config, models: readonly string[]): Promise<Offer> {
    const reads = new Reads()
    this.spent++
    let tags: readonly string[] = []
    try {
      if (!this.#hung.has(plugin.name) && hasHook(plugin, 'getTags')) {
        const view = this.#options.configOf?.(config, plugin) ?? config
        tags = await askForTags(watched(plugin, reads), view, { config, models })
      }
    } catch (error) {
      this.#note(error)
    }
    return { tags, keys: reads.keys }
  }

  #note(error: unknown): void {
    if (!HostError.is(error) || error.plugin === undefined) return
    if (isTimeout(error) || isTimeout(error.cause)) this.#hung.add(error.plugin)
  }
}

function isTimeout(error: unknown): boolean {
  return HostError.is(error) && error.code === 'TIMEOUT'
}
