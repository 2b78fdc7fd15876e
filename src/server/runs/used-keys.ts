import { HostError } from '@braidwork/plugin'

/** How long a key is remembered, in milliseconds. */
const REMEMBERED = 60 * 60_000
const MOST_KEYS = 10_000

interface UsedKey {
  readonly digest: string
  readonly at: number
}

/**
 * The idempotency keys that this process has used within an hour, at most 10,000, with the digests of their requests.
 * They outlive the runs that are not stored.
 */
export class UsedKeys {
  readonly #used = new Map<string, UsedKey>()
  readonly #elapsed: () => number

  /** @param elapsed milliseconds of a clock that never goes back */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  /** Remembers the key of a request that starts a run. A request without a key is ignored. */
  add(owner: string, { idempotencyKey, digest }: Keyed): void {
    if (idempotencyKey === undefined || digest === undefined) return
    const name = nameOf(owner, idempotencyKey)
    this.#used.delete(name)
    this.#used.set(name, { digest, at: this.#elapsed() })
    const [oldest] = this.#used.keys()
    if (this.#used.size > MOST_KEYS && oldest !== undefined) this.#used.delete(oldest)
  }

  /** @throws {HostError} IDEMPOTENCY_KEY_REUSED if the key belongs to a different request */
  assertSame(owner: string, { idempotencyKey, digest }: Keyed): void {
    if (idempotencyKey === undefined || digest === undefined) return
    const used = this.#used.get(nameOf(owner, idempotencyKey))
    if (!used || this.#elapsed() - used.at > REMEMBERED) return
    if (used.digest !== digest) throw reusedKey()
  }
}

interface Keyed {
  readonly idempotencyKey?: string
  readonly digest?: string
}

export function reusedKey(): HostError {
  const text = 'This "Idempotency-Key" was already used for a different request. Use a new key.'
  return new HostError('IDEMPOTENCY_KEY_REUSED', text, { pointer: '/Idempotency-Key' })
}

function nameOf(owner: string, key: string): string {
  return JSON.stringify([owner, key])
}
