import { expect } from 'chai'
import { survival } from '../../../scripts/rule-mutants/fate.ts'
import {
  decisionOf,
  type RuleFiles,
  ruleFiles,
  rulesOfTitles,
} from '../../../scripts/rule-mutants/rule-tests.ts'

const NAMES = Array.from({ length: 40 }, (_, at) => `CL-${at + 10}`)
const WIDE = 'LR-01'

/** 40 rules with a file each, and one rule with tests in all these files and in one more. */
const FILES: RuleFiles = new Map<string, readonly string[]>([
  ...NAMES.map((rule): [string, string[]] => [rule, [`${rule}.ts`]]),
  [WIDE, [...NAMES.map((rule) => `${rule}.ts`), 'wide.ts']],
])

/** The reason why a mutant survives that makes the tests of some rules fail, in some files, and the files that ran. */
async function tried(rule: string, broken: (rule: string, file: string) => boolean) {
  const runs: (readonly string[])[] = []
  const reason = await survival(rule, FILES, async (files) => {
    runs.push(files)
    const own = [...FILES].filter(([, of]) => of.some((file) => files.includes(file)))
    return new Map(
      own.map(([id, of]) => [id, !of.some((file) => files.includes(file) && broken(id, file))]),
    )
  })
  return { reason, runs }
}

describe('the tests that kill a mutant of a rule', () => {
  it('are found by their titles, also where variants share them', () => {
    const text = "it('CL-01 adds', f)\ntest(`AL-24 ends ${way}`, f)\nit('adds CL-02', f)"
    expect(rulesOfTitles(text)).to.deep.equal(['CL-01', 'AL-24'])
  })

  it('are first those that decide most rules, and only they if they suffice', async () => {
    const { reason, runs } = await tried('CL-12', (rule) => rule === 'CL-12')
    expect(reason).to.equal(undefined)
    expect(runs).to.have.length(1)
    expect(runs[0]).to.not.include('wide.ts')
  })

  it('are among the first ones, whichever rule it is', async () => {
    const { reason, runs } = await tried('CL-49', (rule) => rule === 'CL-49')
    expect(reason).to.equal(undefined)
    expect(runs).to.have.length(1)
    expect(runs[0]).to.include('CL-49.ts')
  })

  it('are all of them if none of the first fails', async () => {
    const wide = await tried(WIDE, (rule, file) => rule === WIDE && file === 'wide.ts')
    expect(wide.reason).to.equal(undefined)
    expect(new Set(wide.runs.flat()).size).to.equal(41)
    expect(wide.runs.flat()).to.have.length(41)
    const { reason } = await tried(WIDE, () => false)
    expect(reason).to.equal(`no test of ${WIDE} failed`)
  })

  it('count a failure of the first ones, even if the others pass', async () => {
    const broken = new Set(NAMES.slice(0, 8))
    const { reason, runs } = await tried('CL-10', (rule) => broken.has(rule))
    expect(reason).to.equal(undefined)
    expect(runs).to.have.length(2)
  })

  it('are not enough if they break too many other rules', async () => {
    const broken = new Set(NAMES.slice(0, 12))
    const { reason } = await tried('CL-10', (rule) => broken.has(rule))
    expect(reason).to.equal('the tests of only 29 other rules still pass; at least 30 must')
  })

  it('say nothing of a rule whose other files have not run', async () => {
    // Rule WIDE passes in the first files and fails in its last: 30 others pass only if it is counted.
    const broken = new Set(NAMES.slice(0, 11))
    const { reason } = await tried('CL-10', (rule, file) => {
      return broken.has(rule) || (rule === WIDE && file === 'wide.ts')
    })
    expect(reason).to.match(/^the tests of only 29 other rules/)
  })
})

describe('the test files of rules', () => {
  it('decide more than 30 rules with fewer than half of the files', () => {
    const files = ruleFiles()
    const { files: first, rules } = decisionOf(files, 'CL-01', 35)
    expect(rules.size).to.be.greaterThan(34)
    expect(first.length).to.be.below(new Set([...files.values()].flat()).size / 2)
  })
})
