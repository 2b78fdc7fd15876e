import { expect } from 'chai'
import { findSpans, RULES } from '../../extensions/redact/rules.ts'
import { cutText } from '../../extensions/smooth-stream/pieces.ts'
import { wordsOf as wordsOfMemory } from '../../features/memory/rank.ts'
import { findJson } from '../../features/structured-output/find-json.ts'
import { nearest } from '../../src/core/suggest.ts'
import { passagesOf } from '../../tools/search-docs/passages.ts'
import { WordCounter } from '../../tools/search-docs/postings.ts'
import { wordsOf } from '../../tools/search-docs/words.ts'
import { growthOf, MOST_GROWTH, toldGrowth } from '../helpers/doubling.ts'

/** What texts are made of that make readers go back. */
const PIECES = [
  ' ',
  'a',
  '{',
  '[',
  '[[{"',
  '"',
  '\\',
  '`',
  '\t',
  '\n',
  '<',
  '&',
  '@',
  '0',
  '😀',
  '\u0301',
  '\u0315\u0316',
  '\u0f73',
  '\uff9e',
]
const BEGINNINGS = ['', '# x', '```', '${env:', 'eyJ', '-----BEGIN PRIVATE KEY-----']

function postingsOf(text: string): unknown {
  const counter = new WordCounter()
  for (const word of wordsOf(text)) counter.add(word, 0, 1)
  return counter.toPostings()
}

const READERS: { readonly [name: string]: (text: string) => unknown } = {
  'the passages of search-docs': (text) => passagesOf('a.md', text),
  'the words of search-docs': (text) => wordsOf(text),
  'the postings of search-docs': postingsOf,
  'the words of memory': (text) => wordsOfMemory(text),
  'the nearest of names': (text) => nearest(text, [`${text}x`, `b${text.slice(1)}c`]),
  'the words of smooth-stream': (text) => cutText('', `${text} `, 'word'),
  'the lines of smooth-stream': (text) => cutText('', text, 'line'),
  'the JSON of structured-output': (text) => findJson(text),
  'the rules of redact': (text) =>
    Object.values(RULES).map((rule) => [...findSpans(text, rule)].length),
}

describe('texts of one sign over and over', function () {
  this.timeout(300_000)

  for (const [name, read] of Object.entries(READERS)) {
    it(`are read in proportion to their length by ${name}`, async () => {
      const slow: string[] = []
      for (const piece of PIECES) {
        const texts = (size: number) =>
          BEGINNINGS.map((begin) => begin + piece.repeat(Math.ceil(size / piece.length)))
        const make = (size: number) => {
          const made = texts(size)
          return () => made.map(read)
        }
        const growth = await growthOf({ name, sizes: [25_000, 50_000, 100_000], make })
        // What is over in a few milliseconds is mostly noise.
        const isLong = (growth.times.at(-1) ?? 0) > 20
        if (isLong && growth.ratios.some((ratio) => ratio > MOST_GROWTH))
          slow.push(`${JSON.stringify(piece)}: ${toldGrowth(growth)}`)
      }
      expect(slow).to.deep.equal([])
    })
  }
})
