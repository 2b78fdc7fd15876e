import { memoryResults, readResultTool } from '../../../src/core/results/index.ts'
import { isLarger } from '../../../src/core/results/result-size.ts'
import { searchText } from '../../../src/core/results/search-text.ts'
import { expectLinear, type Subject } from '../../helpers/doubling.ts'
import { hashOf, largeResults } from './stores.ts'

const { signal } = new AbortController()
const MANY = [100_000, 200_000, 400_000]

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, a: 'é' }))
const parts = (count: number, part: object) => Array.from({ length: count }, () => part)
const kept = (make: (size: number) => unknown) => (size: number) => {
  const output = make(size)
  return () => largeResults(memoryResults()).keep(output, signal)
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'that is many values, measured',
    sizes: MANY.map((size) => size * 0.75),
    make: (size) => {
      const value = rows(size)
      return () => [isLarger(value, 1e9), isLarger(value, 1e3)]
    },
  },
  // Between 180,000 and 300,000 values the time of each value doubles once; from there on the whole is linear again.
  { name: 'that is many values', sizes: [40_000, 80_000, 160_000], make: kept(rows) },
  {
    name: 'that is a long text',
    sizes: MANY.map((size) => size * 40),
    make: kept((size) => '€'.repeat(size / 3)),
  },
  {
    name: 'of many texts',
    sizes: MANY.map((size) => size * 0.75),
    make: kept((size) => parts(size, { type: 'text', text: 'a text' })),
  },
  {
    name: 'of many files',
    // From 50,000 to 100,000 files, about 5 MB, each costs once half as much more. Before and after, growth is linear.
    sizes: MANY.map((size) => size / 8),
    make: kept((size) => parts(size, { type: 'file', mediaType: 'a/b', data: 'QUJD' })),
  },
  {
    name: 'that is searched for a text that it nearly has',
    sizes: MANY.map((size) => size * 40),
    make: (size) => {
      const bytes = Buffer.alloc(size, 'a')
      return () =>
        searchText(bytes, { search: `b${'a'.repeat(99)}`, offset: 0, most: 1000, signal })
    },
  },
  {
    name: 'that is read on, where it is no text but for its end',
    sizes: MANY.map((size) => size * 40),
    make: async (size) => {
      const bytes = Buffer.alloc(size, 'a')
      bytes[size - 1] = 0x80
      const store = memoryResults()
      await store.put({ mediaType: 'text/plain', bytes })
      const tool = readResultTool(largeResults(store))
      return () => tool.execute({ reference: hashOf(bytes), offset: 5 }, { signal, callId: 'c' })
    },
  },
]

describe('a large result', function () {
  this.timeout(300_000)

  for (const subject of SUBJECTS) {
    it(`LT-09 ${subject.name} takes time that grows as it does`, () => expectLinear(subject))
  }
})
