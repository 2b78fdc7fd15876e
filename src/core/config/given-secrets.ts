import { spellingsOf } from './echoes.ts'

/** The most secrets that are remembered. Beyond that, those that no request had for the longest time are forgotten. */
const MOST = 1000
/** Shorter secrets are not masked in texts, because that would mask parts of ordinary words. */
export const SHORTEST_MASKED = 4
/** A secret of several lines may be printed line by line. Shorter lines of one may occur elsewhere. */
const SHORTEST_LINE = 16

/**
 * The secrets of recent requests. Output of an interpreter belongs to no request: any request may have caused it,
 * also one that has ended.
 */
export class GivenSecrets {
  readonly #values = new Set<string>()
  #longestFirst: readonly string[] | undefined

  add(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (secret.length < SHORTEST_MASKED) continue
      if (!this.#values.delete(secret)) this.#longestFirst = undefined
      this.#values.add(secret)
    }
    for (const oldest of this.#values) {
      if (this.#values.size <= MOST) break
      this.#values.delete(oldest)
      this.#longestFirst = undefined
    }
  }

  mask(text: string): string {
    this.#longestFirst ??= spellingsOf([...this.#values].flatMap(withLines), SHORTEST_MASKED)
    return this.#longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
  }
}

/** A secret, and those of its lines that are long enough. */
function withLines(secret: string): readonly string[] {
  return [secret, ...secret.split('\n').filter((line) => line.length >= SHORTEST_LINE)]
}
