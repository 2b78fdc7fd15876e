/** The work that one call of `explain` may do: each judgment of a plugin, and each set of edits, counts as one. */
const MOST_WORK = 200_000

/** Limits the work of searches, so that no set of plugins makes them hang. */
export class Budget {
  #left = MOST_WORK
  #end = 0

  /** Begins a search. It may use half of what is left, and `least` however much other searches have used. */
  begin(least: number): void {
    this.#end = Math.min(this.#left / 2, this.#left - least)
  }

  spend(work: number): void {
    this.#left -= work
  }

  /** Whether the search has used its share. */
  get isSpent(): boolean {
    return this.#left <= this.#end
  }
}
