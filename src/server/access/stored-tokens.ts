import type { Environment, Storage } from '@braidwork/agent'
import type { StoredToken } from '@braidwork/agent/internal'
import { HostError, type Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { hashOf, type Identity, tokenOf } from '../identity.ts'
import { isSecret } from './issued-token.ts'
import { type EndOfToken, Holds } from './token-holds.ts'

/** How long known tokens count as valid without a look at the storage, in milliseconds. */
const FRESH = 1000
/** The time between two writes of when tokens were used, in milliseconds. */
const USE_EVERY = 10_000
/** The number of tokens, known or unknown to the storage, that are remembered. */
const MOST_KNOWN = 20_000

export interface StoredTokensParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
}

/**
 * Identifies callers by the tokens in the storage. Once a token was sent, one small statement a second tells whether
 * tokens changed. A request therefore needs a statement of its own only for a token that is new to this process.
 */
export class StoredTokens {
  readonly #parts: StoredTokensParts
  /** By hash. Undefined for hashes that the storage does not know. */
  readonly #known = new Map<string, Promise<StoredToken | undefined>>()
  readonly #holds = new Holds()
  readonly #tokens = new WeakMap<Identity, StoredToken>()
  readonly #used = new Set<string>()
  readonly #closing = new AbortController()
  #revision: number | undefined
  #checkedAt = Number.NEGATIVE_INFINITY
  #usedAt = Number.NEGATIVE_INFINITY
  #check: Promise<void> | undefined
  #work: Promise<void> | undefined

  constructor(parts: StoredTokensParts) {
    this.#parts = parts
  }

  /**
   * Returns the identity of the token that a request carries, unless the token is unknown.
   * @throws {HostError} STORAGE_FAILED; UNAUTHORIZED, if the token was revoked or has expired
   */
  async identify(request: Request): Promise<Identity | undefined> {
    const secret = tokenOf(request)
    if (secret === undefined || !isSecret(secret)) return undefined
    this.#work ??= this.#watch()
    if (this.#age() >= FRESH) await this.#checkOnce()
    const token = await this.#find(hashOf(secret).toString('hex'))
    if (!token) return undefined
    const ended = this.#endOf(token)
    if (ended !== undefined) throw new HostError('UNAUTHORIZED', ended)
    this.#used.add(token.id)
    const given = token.identity as unknown as Omit<Identity, 'role'>
    const identity: Identity = { role: 'user', ...given, token: token.id }
    this.#tokens.set(identity, token)
    return identity
  }

  /**
   * Calls a function when the token of an identity is no longer valid: at most two seconds after its end. The function
   * is given the reason as an error. The returned function ends this. Does nothing for identities without a stored token.
   */
  hold(identity: Identity, end: EndOfToken): () => void {
    const token = this.#tokens.get(identity)
    return token ? this.#holds.add(token, end) : () => undefined
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#work
    await this.#writeUse()
  }

  #age(): number {
    return this.#parts.environment.elapsed() - this.#checkedAt
  }

  /** Says why a token is no longer valid. Only somebody who has the token itself is told. */
  #endOf(token: StoredToken | undefined): string | undefined {
    if (token === undefined || token.revokedAt !== undefined) return 'The token was revoked.'
    const { expiresAt = Number.POSITIVE_INFINITY } = token
    return expiresAt > this.#parts.environment.now() ? undefined : 'The token has expired.'
  }

  #find(hash: string): Promise<StoredToken | undefined> {
    const known = this.#known.get(hash)
    if (known) return known
    const found = this.#parts.storage.tokens.find(hash)
    const [oldest] = this.#known.keys()
    if (oldest !== undefined && this.#known.size >= MOST_KNOWN) this.#known.delete(oldest)
    this.#known.set(hash, found)
    found.catch(() => {
      if (this.#known.get(hash) === found) this.#known.delete(hash)
    })
    return found
  }

  #checkOnce(): Promise<void> {
    this.#check ??= this.#checkAll().finally(() => {
      this.#check = undefined
    })
    return this.#check
  }

  /** Forgets all tokens if one of them changed, and ends what runs for tokens that are no longer valid. */
  async #checkAll(): Promise<void> {
    const { storage, environment } = this.#parts
    const at = environment.elapsed()
    const revision = await storage.tokens.revision()
    if (revision !== this.#revision) this.#known.clear()
    this.#revision = revision
    this.#checkedAt = at
    for (const { hash, id } of this.#holds.tokens()) {
      const ended = this.#endOf(await this.#find(hash))
      if (ended !== undefined) this.#holds.end(id, ended)
    }
  }

  async #watch(): Promise<void> {
    const { environment, log } = this.#parts
    const { signal } = this.#closing
    let isAway = false
    while (await slept(environment.sleep(FRESH, signal))) {
      try {
        await this.#checkOnce()
        if (environment.elapsed() - this.#usedAt >= USE_EVERY) await this.#writeUse()
        isAway = false
      } catch (error) {
        if (!isAway) log({ level: 'error', message: `Tokens cannot be read: ${messageOf(error)}` })
        isAway = true
      }
    }
  }

  async #writeUse(): Promise<void> {
    const { storage, environment, log } = this.#parts
    this.#usedAt = environment.elapsed()
    if (this.#used.size === 0) return
    const ids = [...this.#used]
    this.#used.clear()
    await storage.tokens.use(ids, environment.now()).catch((error: unknown) => {
      log({ level: 'error', message: `The use of tokens was not stored: ${messageOf(error)}` })
    })
  }
}

/** Resolves to whether a pause ended by itself. The end of the server ends it early. */
function slept(pause: Promise<void>): Promise<boolean> {
  return pause.then(
    () => true,
    () => false,
  )
}
