import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { changesModels } from './declared.ts'
import { applyEdits, editsOf, keyOf, type Steps, withoutLists } from './edits.ts'
import type { Observer } from './observer.ts'
import { isListed, type Keys } from './reads.ts'

/** The provider and the model of an edited config. Most tags depend on nothing else. */
export interface Choice {
  /** Identifies the provider, the model and the models. */
  readonly id: string
  readonly provider: AnyPlugin
  readonly model: string | undefined
  readonly models: readonly string[]
  /** The tags of the provider. */
  readonly tags: readonly string[]
  /** What the hooks of the provider read. */
  readonly keys: Keys
  /** What the hooks read that determine the models. */
  readonly modelKeys: Keys
}

/** A config with some edits, and the provider and model that they choose. */
export interface Edited {
  readonly steps: Steps
  readonly choice: Choice
}

/** The choices of edited configs. */
export class Choices {
  /** The plugins other than providers that may change the list of models. */
  readonly modelers: readonly AnyPlugin[]
  readonly #plugins: readonly AnyPlugin[]
  readonly #config: Config
  readonly #observer: Observer
  readonly #known = new Map<string, Promise<Choice | undefined>>()

  constructor(plugins: readonly AnyPlugin[], config: Config, observer: Observer) {
    this.modelers = plugins.filter(changesModels)
    this.#plugins = plugins.filter((plugin) => plugin.kind === 'provider' || changesModels(plugin))
    this.#config = config
    this.#observer = observer
  }

  /** The choice of a config with edits. Undefined if the provider fails. */
  async of(steps: Steps): Promise<Choice | undefined> {
    const own = await this.#resolved(withoutLists(steps))
    return own && this.isFixed(own) ? own : this.#resolved(steps)
  }

  /** Whether edits of lists cannot change the models, nor the tags of the provider. */
  isFixed({ keys }: Choice): boolean {
    return this.modelers.length === 0 && !isListed(keys)
  }

  #resolved(steps: Steps): Promise<Choice | undefined> {
    const key = keyOf(steps)
    const known = this.#known.get(key) ?? this.#resolve(steps)
    this.#known.set(key, known)
    return known
  }

  async #resolve(steps: Steps): Promise<Choice | undefined> {
    const edited = applyEdits(this.#config, editsOf(steps))
    const { resolved, reads } = await this.#observer.resolve(this.#plugins, edited)
    if (!resolved) return undefined
    const { model } = resolved.config
    const { models, provider: name } = resolved.resolution
    const [provider = resolved.plugins.provider] = this.#plugins.filter((one) => one.name === name)
    const keysOf = (plugin: AnyPlugin) => reads.get(plugin)?.keys ?? new Set()
    return {
      id: JSON.stringify([name, model, models]),
      provider,
      model,
      models,
      tags: resolved.tagsOf(resolved.plugins.provider) ?? [],
      keys: keysOf(provider),
      modelKeys: new Set([provider, ...this.modelers].flatMap((plugin) => [...keysOf(plugin)])),
    }
  }
}
