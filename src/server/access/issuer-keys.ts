import { messageOf } from '@braidwork/plugin/internal'
import type { createLocalJWKSet } from 'jose'

/** Finds the key of a token's signature among the keys of an issuer. */
export type KeySet = ReturnType<typeof createLocalJWKSet>

/** Keys this old are read again before they are used: the issuer may have withdrawn one. In milliseconds. */
const FRESH = 10 * 60_000
/**
 * How long keys are used while the issuer does not answer, in milliseconds. Tokens rarely live as long, so callers whom
 * the issuer knows are let in through an outage; a withdrawn key is not accepted for ever by cutting the server off.
 */
const LONGEST = 24 * 60 * 60_000
/** The issuer is asked at most once in this time, in milliseconds: forged tokens must not make the server flood it. */
const COOLDOWN = 10_000

interface Kept {
  readonly keys: KeySet
  readonly readAt: number
}

/** The keys of an issuer, which are kept, and read again when they are old or when one is missing. */
export class IssuerKeys {
  readonly #read: () => Promise<KeySet>
  #kept: Kept | undefined
  #asked: { readonly at: number; readonly answer: Promise<KeySet> } | undefined
  #isAway = false

  /** @param read asks the issuer for its keys */
  constructor(read: () => Promise<KeySet>) {
    this.#read = read
  }

  /**
   * Returns the keys to check a token with. While the issuer does not answer, these are the ones that it had.
   * @throws what `read` throws, if there are none, or if they are too old
   */
  current(): Promise<KeySet> {
    if (!this.#kept) return this.latest()
    const { keys, readAt } = this.#kept
    const age = since(readAt)
    if (age > LONGEST) return this.latest()
    if (age <= FRESH) return Promise.resolve(keys)
    // Requests wait only for an issuer that answered the last time.
    const isAway = this.#isAway
    const latest = this.latest().catch(() => keys)
    return isAway ? Promise.resolve(keys) : latest
  }

  /**
   * Asks the issuer again, or returns its last answer if it was asked in the last ten seconds.
   * @throws what `read` throws now, or threw then
   */
  latest(): Promise<KeySet> {
    if (!this.#asked || since(this.#asked.at) >= COOLDOWN) {
      this.#asked = { at: Date.now(), answer: this.#ask() }
    }
    return this.#asked.answer
  }

  async #ask(): Promise<KeySet> {
    try {
      const keys = await this.#read()
      this.#kept = { keys, readAt: Date.now() }
      this.#isAway = false
      return keys
    } catch (error) {
      if (this.#kept && !this.#isAway) warnOf(error)
      this.#isAway = true
      throw error
    }
  }
}

/** An outage that no caller notices is told once: it locks them out when the keys are too old. */
function warnOf(error: unknown): void {
  const message = `The keys of the issuer of tokens cannot be read: ${messageOf(error)}. The server uses those that it has for up to 24 hours.`
  process.emitWarning(message, { code: 'ISSUER_AWAY' })
}

/** The time since, in milliseconds. A clock that was set back counts as well. */
function since(at: number): number {
  return Math.abs(Date.now() - at)
}
