import type { HeldRun } from '../storage/index.ts'

/** A lease as it was first seen to be. */
interface Seen {
  readonly holder: string
  readonly expiresAt: number
  /** By the clock of whoever watches. */
  readonly at: number
}

/**
 * Since when leases have not been renewed, as one process sees it. It compares no clock with that of another
 * process: either may be wrong, or be set by any time meanwhile.
 */
export class LeaseWatch {
  #seen: ReadonlyMap<string, Seen> = new Map()

  /** Takes in what all leases are now. */
  see(leases: readonly HeldRun[], at: number): void {
    this.#seen = new Map(
      leases.map(({ runId, holder, expiresAt }) => {
        const before = this.#seen.get(runId)
        const isSame = before?.holder === holder && before.expiresAt === expiresAt
        return [runId, isSame ? before : { holder, expiresAt, at }]
      }),
    )
  }

  /** Whether a lease that was taken in has been what it is since then, or for longer. */
  isUnchangedSince({ runId }: HeldRun, since: number): boolean {
    const seen = this.#seen.get(runId)
    return seen !== undefined && seen.at <= since
  }
}
