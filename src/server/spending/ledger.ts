import type { Environment, Storage } from '@braidwork/agent'
import { isObject, type Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Identity } from '../identity.ts'
import type { Spent } from '../limits.ts'

const KIND = 'costs'
const DAY = 24 * 60 * 60_000

export interface LedgerParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
}

/**
 * Stores what identities spend. Each server writes a document of its own, so that costs survive a restart, and
 * servers on one storage count together.
 */
export class Ledger {
  readonly #parts: LedgerParts
  readonly #name: string
  /** The costs that wait to be written, by identity. An entry with undefined means that a write is in progress. */
  readonly #waiting = new Map<string, readonly Spent[] | undefined>()
  readonly #work = new Set<Promise<void>>()

  constructor(parts: LedgerParts) {
    this.#parts = parts
    this.#name = parts.environment.newId('lease')
  }

  /**
   * Returns what an identity spent within a day on other servers, and on this one before its last start. Returns
   * undefined, and logs the error, if the storage fails.
   */
  async elsewhere({ id: owner }: Identity): Promise<readonly Spent[] | undefined> {
    return this.#readAll(owner).catch((error: unknown) => {
      this.#tell('Costs could not be read', error)
      return undefined
    })
  }

  async #readAll(owner: string): Promise<readonly Spent[]> {
    const { documents } = this.#parts.storage
    const spent: Spent[] = []
    for (const { name, content } of await documents.list(owner, KIND)) {
      if (name === this.#name) continue
      const recent = this.#recent(content)
      if (recent.length === 0) await documents.delete(owner, KIND, name)
      spent.push(...recent)
    }
    return spent
  }

  /** Writes what an identity spent on this server. A value that arrives during a write is written after it. */
  save({ id: owner }: Identity, spent: readonly Spent[]): void {
    const isBusy = this.#waiting.has(owner)
    this.#waiting.set(owner, spent)
    if (isBusy) return
    const work = this.#writeAll(owner).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#work)
  }

  async #writeAll(owner: string): Promise<void> {
    for (let next = this.#waiting.get(owner); next; next = this.#waiting.get(owner)) {
      this.#waiting.set(owner, undefined)
      await this.#write(owner, next).catch((error: unknown) => {
        this.#tell('Costs could not be stored', error)
      })
    }
    this.#waiting.delete(owner)
  }

  #tell(fault: string, error: unknown): void {
    this.#parts.log({ level: 'error', message: `${fault}: ${messageOf(error)}` })
  }

  async #write(owner: string, spent: readonly Spent[]): Promise<void> {
    const { storage, environment } = this.#parts
    const now = environment.now()
    const content = spent.map(({ age, amount }) => ({ at: now - age, amount }))
    const name = this.#name
    await storage.documents.save({ kind: KIND, owner, name, content, updatedAt: now })
  }

  #recent(content: unknown): readonly Spent[] {
    const now = this.#parts.environment.now()
    const costs: readonly unknown[] = Array.isArray(content) ? content : []
    return costs.flatMap((cost) => {
      if (!isObject(cost)) return []
      const { at, amount } = cost
      if (typeof at !== 'number' || typeof amount !== 'number' || at <= now - DAY) return []
      // A time in the future means that the clock was set back since. The age is unknown then, so it counts as 0.
      return [{ age: Math.max(0, now - at), amount }]
    })
  }
}
