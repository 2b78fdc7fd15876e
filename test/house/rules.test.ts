import { expect } from 'chai'
import { rulesOfTitles } from '../../scripts/rule-mutants/rule-tests.ts'
import { DEFAULT, tierOf } from '../../scripts/tests/tiers.ts'
import { sourceFiles } from '../helpers/source-files.ts'

/** The rules of the chain, by the number of their id. */
const NUMBERS = [...range(1, 20), ...range(30, 46)]

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

describe('the rules of the chain', () => {
  const files = sourceFiles('test').filter(({ path }) => tierOf(path) === DEFAULT)
  const tested = new Set(files.flatMap(({ text }) => rulesOfTitles(text)))

  it('have each at least one test in the default tier whose title begins with its id', () => {
    const ids = NUMBERS.map((number) => `CL-${String(number).padStart(2, '0')}`)
    expect(ids.filter((id) => !tested.has(id))).to.deep.equal([])
  })
})
