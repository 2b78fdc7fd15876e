import type { Candidate } from './question.ts'

/** The outcome of an attack. */
export interface Outcome {
  /** The number of tries. */
  readonly tried: number
  /** The number of tries in which the server answered, or refused with a reason. */
  readonly held: number
  readonly detail?: string
  /** The most expensive bodies found, for the next attack. */
  readonly worst?: readonly Candidate[]
}

/** The maximum number of faults that are described. Others are only counted. */
const MOST_FAULTS = 5

/** Counts successful tries, and keeps descriptions of the first faults. */
export class Tally {
  #tried = 0
  #held = 0
  readonly #faults: string[] = []
  readonly #notes: string[] = []

  /** Adds a try. @param fault the description of what went wrong; `undefined` for a success */
  add(fault: string | undefined): void {
    this.#tried++
    if (fault === undefined) this.#held++
    else if (this.#faults.length < MOST_FAULTS) this.#faults.push(fault)
  }

  note(text: string): void {
    this.#notes.push(text)
  }

  get outcome(): Outcome {
    const told = [...this.#notes, ...this.#faults]
    const more = this.#tried - this.#held - this.#faults.length
    if (more > 0) told.push(`${more} more faults`)
    const counts = { tried: this.#tried, held: this.#held }
    return told.length === 0 ? counts : { ...counts, detail: told.join('\n') }
  }
}

/** Returns a function that says whether the attack's time is up, counted from now. */
export function timer({ budget }: { readonly budget: number }): () => boolean {
  const limit = performance.now() + budget
  return () => performance.now() > limit
}
