import type { Candidate } from '../largest-bodies.ts'

/** What an attack came to. */
export interface Outcome {
  /** How often it was tried. */
  readonly tried: number
  /** How often the server did what it should: it answered, or refused by name. */
  readonly held: number
  readonly detail?: string
  /** What the next attack is to send, where this one looked for it. */
  readonly worst?: readonly Candidate[]
}

/** Faults that are told; those after them are counted. */
const MOST_FAULTS = 5

/** Counts what held, and keeps the first faults in words. */
export class Tally {
  #tried = 0
  #held = 0
  readonly #faults: string[] = []
  readonly #notes: string[] = []

  /** @param fault what was wrong, where anything was */
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

/** Says whether the time of an attack that begins now is up. */
export function timer({ budget }: { readonly budget: number }): () => boolean {
  const limit = performance.now() + budget
  return () => performance.now() > limit
}
