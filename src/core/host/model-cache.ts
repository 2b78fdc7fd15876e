import { createHash } from 'node:crypto'
import type { Config } from '@braidwork/plugin'

/** How long models that an API named stay known, in milliseconds. */
const LIFETIME = 3_600_000

interface Entry {
  readonly models: readonly string[]
  readonly until: number
}

/** Models that `refreshModels` found, for an hour, by provider and its settings: base URL, key and the like. */
export class ModelCache {
  readonly #entries = new Map<string, Entry>()
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

/** A digest: the key must not stand in a map that a dump would show. */
function keyOf(config: Config, provider: string): string {
  // All settings: which of them say where, and as whom, is the provider's business.
  return createHash('sha256')
    .update(JSON.stringify([provider, config.settings?.[provider] ?? {}]))
    .digest('hex')
}
