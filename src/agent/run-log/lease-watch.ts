import type { HeldRun } from '../storage/index.ts'

/** A lease as this process first saw it. */
interface Seen {
  readonly holder: string
  readonly expiresAt: number
  /** The time of that first sight, by this process's own monotonic clock. */
  readonly at: number
}

/**
 * Remembers since when each lease has stayed unchanged, as one process sees it. It never compares its clock with
 * that of another process: either clock may be wrong, or may be set at any moment.
 */
export class LeaseWatch {
  #seen: ReadonlyMap<string, Seen> = new Map()

  /** Records the current state of all leases. */
  see(leases: readonly HeldRun[], at: number): void {
    this.#seen = new Map(
      leases.map(({ runId, holder, expiresAt }) => {
        const before = this.#seen.get(runId)
        const isSame = before?.holder === holder && before.expiresAt === expiresAt
        return [runId, isSame ? before : { holder, expiresAt, at }]
      }),
    )
  }

  /** Whether this process first saw the lease in its present state at `since` or earlier. */
  isUnchangedSince({ runId }: HeldRun, since: number): boolean {
    const seen = this.#seen.get(runId)
    return seen !== undefined && seen.at <= since
  }
}
