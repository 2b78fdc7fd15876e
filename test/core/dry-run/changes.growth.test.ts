import { changesBetween } from '../../../src/core/dry-run/changes.ts'
import { shownValue } from '../../../src/core/dry-run/shown-value.ts'
import { expectLinear, type Work } from '../../helpers/doubling.ts'

type Pair = readonly [before: unknown, after: unknown]

function texts(size: number, text: string): readonly object[] {
  return Array.from({ length: size }, (_, at) => ({ type: 'text', text: `${text} ${at}` }))
}

/** A list in a list in a list, each with an item of its own beside the next one. */
function nested(depth: number, item: unknown): unknown {
  return depth === 0 ? item : [depth, nested(depth - 1, item)]
}

/** Values of a size, each with changes in other places. */
const PAIRS: { readonly [title: string]: (size: number) => Pair } = {
  'lists whose items are all different': (size) => [texts(size, 'a'), texts(size, 'b')],
  'lists of different lengths': (size) => [texts(size, 'a'), texts(size / 2, 'b')],
  'an item in front of many': (size) => [texts(size, 'a'), [{}, ...texts(size, 'a')]],
  'objects of many members': (size) => [
    Object.fromEntries(texts(size, 'a').map((item, at) => [`a${at}`, item])),
    Object.fromEntries(texts(size, 'b').map((item, at) => [`a${at * 2}`, item])),
  ],
  'deep lists': (size) => [
    Array.from({ length: size / 100 }, (_, at) => nested(100, at)),
    Array.from({ length: size / 100 }, (_, at) => nested(100, -at)),
  ],
}

describe('telling what has changed takes time that grows as the values do', function () {
  this.timeout(300_000)
  for (const [title, pairOf] of Object.entries(PAIRS)) {
    it(title, async () => {
      const make = (size: number): Work => {
        const [before, after] = pairOf(size)
        const shown = (value: unknown) => shownValue(value, (text) => text)
        return () => changesBetween(shown(before), shown(after))
      }
      await expectLinear({ name: title, make })
    })
  }
})
