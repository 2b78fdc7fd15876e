import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { rulesOfTitles } from '../../scripts/rule-mutants/rule-tests.ts'
import { ROOT, sourceFiles } from '../helpers/source-files.ts'

interface Mutant {
  readonly rule: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

const MUTANTS = JSON.parse(readFileSync(join(ROOT, 'test', 'mutants.json'), 'utf8')) as Mutant[]

describe('test/mutants.json', () => {
  it('names for each mutant a place that its file has once', () => {
    const lost = MUTANTS.filter(({ file, find }) => {
      return readFileSync(join(ROOT, file), 'utf8').split(find).length !== 2
    })
    expect(lost.map(({ rule, file, find }) => `${rule} ${file}: ${find}`)).to.deep.equal([])
  })

  it('changes something in each', () => {
    for (const { find, replace } of MUTANTS) expect(replace).to.not.equal(find)
  })

  it('has one at least for each rule that has a test', () => {
    const tested = sourceFiles('test').flatMap(({ text }) => rulesOfTitles(text))
    const broken = new Set(MUTANTS.map(({ rule }) => rule))
    const spared = new Set(tested.filter((id) => !broken.has(id)))
    expect([...spared]).to.deep.equal([])
  })
})
