import { expect } from 'chai'
import { draw } from '../../../scripts/mutants/draw.ts'
import type { Mutant } from '../../../scripts/mutants/mutant.ts'
import { runsOf } from '../../helpers/cases.ts'

/** A file with many mutants in its first line, and one in each of nine others. */
const MUTANTS: readonly Mutant[] = Array.from({ length: 100 }, (_, at) => ({
  file: 'src/a/index.ts',
  line: Math.max(1, at - 89),
  mutator: 'StringLiteral',
  start: at,
  end: at + 1,
  replacement: '""',
}))

describe('draw', () => {
  it('draws the same mutants for the same seed, and others for another', () => {
    expect([...draw(MUTANTS, 1)]).to.deep.equal([...draw(MUTANTS, 1)])
    expect([...draw(MUTANTS, 1)]).to.not.deep.equal([...draw(MUTANTS, 2)])
  })

  it('draws the same lines again after lines were added before them', () => {
    const added = { ...MUTANTS[0], file: 'src/a/index.ts', line: 1, mutator: 'BooleanLiteral' }
    const changed = [
      { ...added, start: 0, end: 1, replacement: 'true' },
      ...MUTANTS.map((mutant) => ({ ...mutant, line: mutant.line + 1 })),
    ]
    const without = [...draw(changed, 1)].filter(({ mutator }) => mutator !== 'BooleanLiteral')
    expect(without.map(({ start }) => start)).to.deep.equal(
      [...draw(MUTANTS, 1)].map(({ start }) => start),
    )
  })

  it('draws each line once', () => {
    const lines = [...draw(MUTANTS, 1)].map(({ line }) => line)
    expect(lines.sort((left, right) => left - right)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('draws a line as often as any other, however many mutants it has', () => {
    const length = runsOf(2000)
    const firsts = Array.from({ length }, (_, seed) => draw(MUTANTS, seed).next().value?.line)
    for (let line = 1; line <= 10; line++) {
      const share = firsts.filter((first) => first === line).length / length
      expect(share).to.be.within(0.075, 0.125)
    }
  })
})
