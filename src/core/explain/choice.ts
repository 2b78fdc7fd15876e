import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Steps } from './edits.ts'
import type { Observed } from './observer.ts'
import type { Keys } from './reads.ts'

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

/** The choice of a resolution. Undefined if the provider failed. */
export function choiceOf({ resolved, reads }: Observed): Choice | undefined {
  if (!resolved) return undefined
  const { model } = resolved.config
  const { models, provider: name } = resolved.resolution
  const [provider] = [...reads.keys()].filter((plugin) => plugin.name === name)
  if (!provider) return undefined
  // Hooks of other providers were not called.
  const modelKeys = [...reads.values()].flatMap(({ keys }) => [...keys])
  return {
    id: JSON.stringify([name, model, models]),
    provider,
    model,
    models,
    tags: resolved.tagsOf(resolved.plugins.provider) ?? [],
    keys: reads.get(provider)?.keys ?? new Set(),
    modelKeys: new Set(modelKeys),
  }
}
