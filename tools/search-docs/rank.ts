import type { DocumentIndex } from './document-index.ts'
import type { Passage } from './passages.ts'
import { keyOf } from './postings.ts'
import { wordsOf } from './words.ts'

/** The usual BM25 parameters: saturation of word counts, and weight of the passage length. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

export interface Ranked {
  readonly passage: Passage
  readonly score: number
}

/** The scores of the passages of a document, as far as they have words of the query. */
type Scores = Map<number, number>

/** Ranks the passages of documents with BM25. Each document has its own index, so one that changes costs no more. */
export class Ranking {
  readonly #documents: readonly DocumentIndex[]
  readonly #count: number
  readonly #average: number

  constructor(documents: readonly DocumentIndex[]) {
    this.#documents = documents
    const total = documents.reduce((sum, { lengths }) => sum + sumOf(lengths), 0)
    this.#count = documents.reduce((sum, { passages }) => sum + passages.length, 0)
    this.#average = total / Math.max(1, this.#count) || 1
  }

  search(query: string, most: number): readonly Ranked[] {
    const scores = this.#documents.map((): Scores => new Map())
    for (const word of new Set(wordsOf(query))) this.#add(keyOf(word), scores)
    const best: Ranked[] = []
    for (const [at, { passages }] of this.#documents.entries()) {
      for (const [place, score] of [...(scores[at] ?? [])].sort(byPlace))
        insert({ passage: passages[place] as Passage, score }, best, most)
    }
    return best
  }

  #add(key: number, scores: readonly Scores[]): void {
    const found = this.#documents.map(({ postings }) => postings.of(key))
    const size = found.reduce((sum, list) => sum + list.length, 0)
    const rarity = Math.log(1 + (this.#count - size + 0.5) / (size + 0.5))
    for (const [at, list] of found.entries()) {
      for (const [place, count] of list) {
        const length = (this.#documents[at]?.lengths[place] ?? 0) / this.#average
        const norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length)
        const score = (rarity * count * (SATURATION + 1)) / (count + norm)
        scores[at]?.set(place, (scores[at].get(place) ?? 0) + score)
      }
    }
  }
}

function sumOf(numbers: Uint32Array): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function byPlace([left]: readonly [number, number], [right]: readonly [number, number]): number {
  return left - right
}

/** Inserts a passage where its score belongs, behind earlier ones of the same score, and keeps the best. */
function insert(ranked: Ranked, best: Ranked[], most: number): void {
  if (best.length === most && ranked.score <= (best.at(-1)?.score ?? 0)) return
  const behind = best.findIndex(({ score }) => score < ranked.score)
  best.splice(behind === -1 ? best.length : behind, 0, ranked)
  if (best.length > most) best.pop()
}
