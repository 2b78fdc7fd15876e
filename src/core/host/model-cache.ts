import { createHash } from 'node:crypto'
import type { Config } from '@braidwork/plugin'

/** The time in milliseconds that a list of models from an API is kept. */
const LIFETIME = 3_600_000

interface CachedModels {
  readonly models: readonly string[]
  readonly until: number
}

/** The lists of models that `refreshModels` found. The key is the provider with all its settings. */
export class ModelCache {
  readonly #entries = new Map<string, CachedModels>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  set(config: Config, provider: string, models: readonly string[]): void {
    this.#entries.set(keyOf(config, provider), {
      models: [...models],
      until: this.#now() + LIFETIME,
    })
  }

  known(config: Config, provider: string): readonly string[] {
    if (this.#entries.size === 0) return []
    const entry = this.#entries.get(keyOf(config, provider))
    return entry && entry.until > this.#now() ? entry.models : []
  }
}

/** A digest instead of the settings, because a memory dump must not show the API key. */
function keyOf(config: Config, provider: string): string {
  // All settings count, because only the provider knows which of them select the API and the account.
  return createHash('sha256')
    .update(JSON.stringify([provider, config.settings?.[provider] ?? {}]))
    .digest('hex')
}
