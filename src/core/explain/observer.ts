import { type Config, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import { askForTags, type Resolved, type ResolveOptions, resolve } from '../resolve/index.ts'
import { EVERYTHING, type Keys, Reads, watched } from './reads.ts'

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

const NO_OFFER: Offer = { tags: [], keys: new Set() }
/** The work of a resolution in addition to its judgments, in judgments. */
const COST_OF_RESOLUTION = 10

/** Resolves configs and asks hooks for `explain`, and records what the hooks read. */
export class Observer {
  /** The judgments of plugins and questions to hooks until now. */
  spent = 0
  readonly #options: ResolveOptions
  /** The plugins with a hook that did not answer in time. They are not asked again. */
  readonly #hung: Set<AnyPlugin>
  /** The plugins that fail if their hooks are watched. They count as reading everything. */
  readonly #opaque = new Set<AnyPlugin>()

  constructor(options: ResolveOptions, { threw }: Resolved) {
    this.#options = options
    this.#hung = new Set([...threw].flatMap(([plugin, error]) => (isTimeout(error) ? plugin : [])))
  }

  /** Resolves a config. Plugins that fail because their hooks are watched are resolved plainly. */
  async resolve(plugins: readonly AnyPlugin[], config: Config): Promise<Observed> {
    const asked = plugins.filter((plugin) => !this.#hung.has(plugin))
    const plain = new Set(this.#opaque)
    for (;;) {
      const reads = new Map(asked.map((plugin) => [plugin, new Reads()]))
      const shown = [...reads].map(([plugin, read]) =>
        plain.has(plugin) ? plugin : watched(plugin, read),
      )
      const resolved = await this.#tryToResolve(shown, config)
      const failed = this.#failedIn(resolved, asked)
      const fresh = failed.filter((plugin) => !plain.has(plugin) && !this.#hung.has(plugin))
      for (const plugin of fresh) plain.add(plugin)
      if (fresh.length > 0) continue
      for (const plugin of failed) plain.delete(plugin)
      for (const plugin of plain) {
        this.#opaque.add(plugin)
        reads.get(plugin)?.readAll()
      }
      return { resolved: HostError.is(resolved) ? undefined : resolved, reads }
    }
  }

  /** The tags that a plugin provides for a config, whether it is on or off. */
  async offer(plugin: AnyPlugin, config: Config, models: readonly string[]): Promise<Offer> {
    const reads = new Reads()
    const ask = (shown: AnyPlugin) => {
      const view = this.#options.configOf?.(config, plugin) ?? config
      return askForTags(shown, view, { config, models })
    }
    this.spent++
    try {
      if (this.#hung.has(plugin) || !hasHook(plugin, 'getTags')) return NO_OFFER
      return { tags: await ask(watched(plugin, reads)), keys: reads.keys }
    } catch (error) {
      if (isTimeout(error)) this.#hung.add(plugin)
    }
    try {
      if (this.#hung.has(plugin)) return NO_OFFER
      return { tags: await ask(plugin), keys: new Set([EVERYTHING]) }
    } catch {
      return NO_OFFER
    }
  }

  async #tryToResolve(shown: readonly AnyPlugin[], config: Config) {
    this.spent += shown.length + COST_OF_RESOLUTION
    try {
      return await resolve(shown, config, this.#options)
    } catch (error) {
      if (HostError.is(error)) return error
      throw error
    }
  }

  /** The plugins that failed in a resolution. Notes those that did not answer in time. */
  #failedIn(resolved: Resolved | HostError, asked: readonly AnyPlugin[]): readonly AnyPlugin[] {
    const errors = HostError.is(resolved) ? [resolved] : [...resolved.threw.values()]
    return errors.flatMap((error) => {
      const plugin = asked.find(({ name }) => name === error.plugin)
      if (plugin && (isTimeout(error) || isTimeout(error.cause))) this.#hung.add(plugin)
      return plugin ?? []
    })
  }
}

function isTimeout(error: unknown): boolean {
  return HostError.is(error) && error.code === 'TIMEOUT'
}
