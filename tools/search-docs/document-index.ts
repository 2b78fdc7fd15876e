import type { Pace } from './pace.ts'
import type { Passage } from './passages.ts'
import { type Postings, WordCounter } from './postings.ts'
import { wordsOf } from './words.ts'

/** A word in a heading counts this many times. */
const HEADING_WEIGHT = 3
/** A longer text is read in parts, so that one endless line does not hold up the event loop. */
const MOST_PART = 32_768

/** The passages of one document, and where its words are. It is made anew when the document changes. */
export interface DocumentIndex {
  readonly passages: readonly Passage[]
  /** The number of words of each passage. */
  readonly lengths: Uint32Array
  readonly postings: Postings
}

/** Indexes a document, in slices. */
export async function indexOf(passages: readonly Passage[], pace: Pace): Promise<DocumentIndex> {
  const counter = new WordCounter()
  const lengths = new Uint32Array(passages.length)
  for (const [at, { heading, text }] of passages.entries()) {
    for (const part of partsOf(text)) {
      const words = wordsOf(part)
      for (const word of words) counter.add(word, at, 1)
      lengths[at] = (lengths[at] ?? 0) + words.length
      if (pace.isDue) await pace.rest()
    }
    for (const word of wordsOf(heading)) counter.add(word, at, HEADING_WEIGHT)
  }
  return { passages, lengths, postings: counter.toPostings() }
}

/** Splits a long text between words, where it has spaces. */
function* partsOf(text: string): Generator<string> {
  let start = 0
  while (text.length - start > MOST_PART) {
    const part = text.slice(start, start + MOST_PART)
    const gap = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'))
    const end = start + (gap > 0 ? gap : MOST_PART)
    yield text.slice(start, end)
    start = end
  }
  yield text.slice(start)
}
