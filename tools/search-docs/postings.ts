/** A posting is a passage in the upper 24 bits and the count of a word in the lower ones. */
const COUNT_BITS = 8
const MOST_COUNT = 2 ** COUNT_BITS - 1

/** Counts the words of a document, passage by passage. */
export class WordCounter {
  readonly #lists = new Map<string, number[]>()

  add(word: string, passage: number, times: number): void {
    const list = this.#lists.get(word)
    if (!list) {
      this.#lists.set(word, [postingOf(passage, times)])
      return
    }
    const last = list.length - 1
    const known = list[last] ?? 0
    if (known >>> COUNT_BITS !== passage) list.push(postingOf(passage, times))
    else list[last] = postingOf(passage, Math.min(MOST_COUNT, (known & MOST_COUNT) + times))
  }

  toPostings(): Postings {
    const keyed: Keyed[] = []
    for (const [word, list] of this.#lists) keyed.push({ key: keyOf(word), list })
    return new Postings(keyed.sort((left, right) => left.key - right.key))
  }
}

interface Keyed {
  readonly key: number
  readonly list: readonly number[]
}

/** In which passages of a document each word occurs, and how often, in three arrays of numbers. */
export class Postings {
  readonly #keys: Float64Array
  /** The place of the first posting of each key. */
  readonly #starts: Uint32Array
  readonly #postings: Uint32Array

  /** Takes the lists in the order of their keys. */
  constructor(lists: readonly Keyed[]) {
    this.#keys = new Float64Array(lists.length)
    this.#starts = new Uint32Array(lists.length + 1)
    this.#postings = new Uint32Array(lists.reduce((sum, { list }) => sum + list.length, 0))
    let next = 0
    for (const [at, { key, list }] of lists.entries()) {
      this.#keys[at] = key
      for (const posting of list) this.#postings[next++] = posting
      this.#starts[at + 1] = next
    }
  }

  /** The passages with a word, and its count in each. */
  of(key: number): readonly (readonly [passage: number, count: number])[] {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? 0) < key) low = middle + 1
      else high = middle
    }
    if (this.#keys[low] !== key) return []
    return Array.from(this.#postings.subarray(this.#starts[low], this.#starts[low + 1]), partsOf)
  }
}

/**
 * A word as a number: 53 bits of a hash. An index of numbers keeps no texts, and shares no list of words with others
 * that would keep the words of documents that are gone.
 */
export function keyOf(word: string): number {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x9e3779b1)
    high = Math.imul(high ^ unit, 0x5f356495)
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  return 2 ** 32 * (high & 0x1f_ffff) + (low >>> 0)
}

function postingOf(passage: number, count: number): number {
  return ((passage << COUNT_BITS) | count) >>> 0
}

function partsOf(posting: number): readonly [passage: number, count: number] {
  return [posting >>> COUNT_BITS, posting & MOST_COUNT]
}
