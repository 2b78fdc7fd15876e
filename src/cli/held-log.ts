import type { Log } from '@braidwork/plugin'

type Entry = Parameters<Log>[0]

/** The most entries that are held. */
const MOST_HELD = 1000

/** A log that holds its entries until it is told where they go: plugins print before there is a host to mask secrets. */
export class HeldLog {
  #held: Entry[] = []
  #log: Log | undefined

  readonly log: Log = (entry) => {
    if (this.#log) this.#log(entry)
    else if (this.#held.length < MOST_HELD) this.#held.push(entry)
  }

  /** Writes the entries that were held, and later ones as they come. */
  goTo(log: Log): void {
    this.#log = log
    for (const entry of this.#held) log(entry)
    this.#held = []
  }
}
