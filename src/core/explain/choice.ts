import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Resolved } from '../resolve/index.ts'
import type { Steps } from './edits.ts'
import type { Observed } from './observer.ts'
import type { Keys } from './reads.ts'

/** The model of an edited config. Most tags depend on nothing else. */
export interface ChosenModel {
  /** Identifies the provider, the model and the models. */
  readonly id: string
  readonly model: string | undefined
  readonly models: readonly string[]
}

/** The provider and the model of an edited config. */
export interface Choice extends ChosenModel {
  readonly provider: AnyPlugin
  /** The tags of the provider. */
  readonly tags: readonly string[]
  /** What the hooks of the provider read. */
  readonly keys: Keys
  /** What the hooks read that determine the models. */
  readonly modelKeys: Keys
}

/** A config with some edits, and the provider and model that they choose. */
export interface Edited<Chosen extends ChosenModel = Choice> {
  readonly steps: Steps
  readonly choice: Chosen
}

export function chosenModel({ config: { model }, settled }: Resolved): ChosenModel {
  const { provider, models } = settled
  return { id: JSON.stringify([provider.name, model, models]), model, models }
}

/** The choice of a resolution. Undefined if the provider failed. */
export function choiceOf({ resolved, reads }: Observed): Choice | undefined {
  if (!resolved) return undefined
  const { name } = resolved.settled.provider
  const [provider] = [...reads.keys()].filter((plugin) => plugin.name === name)
  if (!provider) return undefined
  // Hooks of other providers were not called.
  const modelKeys = [...reads.values()].flatMap(({ keys }) => [...keys])
  return {
    ...chosenModel(resolved),
    provider,
    tags: resolved.settled.providerTags,
    keys: reads.get(provider)?.keys ?? new Set(),
    modelKeys: new Set(modelKeys),
  }
}
