import type { Passage } from './passages.ts'

/** The usual BM25 parameters: saturation of word counts, and weight of the passage length. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75
/** A word in a heading counts this many times. */
const HEADING_WEIGHT = 3

/** Characters of scripts without spaces. Each one counts as a word. */
const SIGN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const WORD = new RegExp(String.raw`${SIGN}|(?:(?!${SIGN})[\p{L}\p{N}])+`, 'gu')
const MARKS = /\p{M}/gu

export interface Ranked {
  readonly passage: Passage
  readonly score: number
}

/** The words of a text for comparison: without case, accents and plural "s". */
export function wordsOf(text: string): string[] {
  // Remove marks first: normalization sorts the marks of a letter in quadratic time.
  const bare = text.replaceAll(MARKS, '').normalize('NFKD')
  const plain = bare.replaceAll(MARKS, '').toLowerCase()
  const words = plain.match(WORD) ?? []
  return words.map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word))
}

/** An index of passages by word, which ranks them with BM25. */
export class Ranking {
  /** For each word, the number of its occurrences by passage. */
  readonly #postings = new Map<string, Map<number, number>>()
  readonly #lengths: number[] = []
  readonly #passages: readonly Passage[]
  readonly #average: number

  constructor(passages: readonly Passage[]) {
    this.#passages = passages
    for (const [at, { heading, text }] of passages.entries()) {
      const headings = wordsOf(heading)
      const words = wordsOf(text)
      this.#lengths.push(words.length)
      for (const word of words) this.#count(word, at, 1)
      for (const word of headings) this.#count(word, at, HEADING_WEIGHT)
    }
    const total = this.#lengths.reduce((sum, length) => sum + length, 0)
    this.#average = total / Math.max(1, passages.length)
  }

  search(query: string, most: number): readonly Ranked[] {
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(query))) {
      const posting = this.#postings.get(word) ?? new Map<number, number>()
      const rarity = Math.log(
        1 + (this.#passages.length - posting.size + 0.5) / (posting.size + 0.5),
      )
      for (const [at, count] of posting) {
        const length = (this.#lengths[at] ?? 0) / (this.#average || 1)
        const norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length)
        const score = (rarity * count * (SATURATION + 1)) / (count + norm)
        scores.set(at, (scores.get(at) ?? 0) + score)
      }
    }
    return [...scores]
      .sort(([left, one], [right, other]) => other - one || left - right)
      .slice(0, most)
      .map(([at, score]) => ({ passage: this.#passages[at] as Passage, score }))
  }

  #count(word: string, at: number, times: number): void {
    const posting = this.#postings.get(word) ?? new Map<number, number>()
    posting.set(at, (posting.get(at) ?? 0) + times)
    this.#postings.set(word, posting)
  }
}
