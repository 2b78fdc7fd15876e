import type { StoredToken } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'

/** Ends what runs for a token. It is given an error of its own, which says why. */
export type EndOfToken = (why: HostError) => void

interface Hold {
  readonly token: StoredToken
  readonly ends: Set<EndOfToken>
}

/** What runs for tokens, by the id of the token. */
export class Holds {
  readonly #holds = new Map<string, Hold>()

  /** Calls a function when the token ends. The returned function takes that back. */
  add(token: StoredToken, end: EndOfToken): () => void {
    const { id } = token
    const hold = this.#holds.get(id) ?? { token, ends: new Set() }
    this.#holds.set(id, hold)
    hold.ends.add(end)
    return () => {
      hold.ends.delete(end)
      if (hold.ends.size === 0 && this.#holds.get(id) === hold) this.#holds.delete(id)
    }
  }

  /** The tokens for which something runs. */
  tokens(): readonly StoredToken[] {
    return [...this.#holds.values()].map(({ token }) => token)
  }

  /** @param why a sentence for the caller */
  end(id: string, why: string): void {
    const hold = this.#holds.get(id)
    this.#holds.delete(id)
    for (const end of hold?.ends ?? []) end(new HostError('UNAUTHORIZED', why))
  }
}
