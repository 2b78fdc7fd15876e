import { expect } from 'chai'
import { readEquivalents } from '../../scripts/mutants/equivalents.ts'
import { ROOT } from '../helpers/source-files.ts'

describe('test/equivalent-mutants.json', () => {
  it('has only mutants of lines that are still there', () => {
    expect(() => readEquivalents(ROOT)).to.not.throw()
  })

  it('gives a reason for each, and changes something in each', () => {
    for (const { find, replace, reason } of readEquivalents(ROOT)) {
      expect(replace).to.not.equal(find)
      expect(reason, find).to.match(/^[A-Z].{20,}\.$/s)
    }
  })
})
