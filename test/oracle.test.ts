import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { runScenario, toPythonJson } from '../scripts/run-scenario.ts'
import type { Scenario } from '../scripts/scenario.ts'
import { runsOf } from './helpers/cases.ts'
import { ROOT } from './helpers/source-files.ts'
import { fixture, output } from './oracle/output.ts'

const ORACLE = join(ROOT, '..', 'shared', 'oracle', 'oracle.py')
/** Scenarios of seed 7; CI and a patient person ask for more. */
const COUNT = Number(process.env['ORACLE_COUNT'] ?? runsOf(300))
const RANDOM_COUNT = runsOf(100)
const RANDOM_SEED = Number(process.env['ORACLE_SEED'] ?? Math.floor(Math.random() * 1_000_000))

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

/** Why the oracle itself cannot be run here, or nothing. */
function whyNoOracle(): string | undefined {
  if (!existsSync(ORACLE)) return 'there is no ../shared/oracle/oracle.py beside this clone'
  const { error } = spawnSync('python3', ['--version'])
  return error ? 'there is no python3 on the PATH' : undefined
}

async function compare(scenarios: readonly string[], expected: readonly string[]): Promise<void> {
  expect(scenarios.length).to.equal(expected.length)
  for (const [index, line] of scenarios.entries()) {
    const result = toPythonJson(await runScenario(JSON.parse(line) as Scenario))
    // Only where they differ: the difference of objects is the one that a person can read.
    if (result !== expected[index]) {
      expect(JSON.parse(result)).to.deep.equal(JSON.parse(expected[index] ?? 'null'))
      expect(result).to.equal(expected[index])
    }
  }
}

async function compareWithOracle(seed: number, count: number): Promise<void> {
  const scenarios = output('python3', [
    ORACLE,
    'generate',
    '--seed',
    `${seed}`,
    '--count',
    `${count}`,
  ])
  const expected = output('python3', [ORACLE, 'run'], { input: scenarios })
  expect(linesOf(scenarios)).to.have.length(count)
  await compare(linesOf(scenarios), linesOf(expected))
}

describe('the oracle', function () {
  this.timeout(600_000)
  const reason = whyNoOracle()
  const live = reason === undefined ? it : it.skip
  const note = reason === undefined ? '' : ` (skipped: ${reason})`

  it('gives the expected line for each of 60 scenarios that are kept', async () => {
    const scenarios = linesOf(fixture('scenarios.jsonl'))
    expect(scenarios).to.have.length(60)
    await compare(scenarios, linesOf(fixture('expected.jsonl')))
  })

  live(`gives the same as oracle.py for ${COUNT} scenarios of seed 7${note}`, async () => {
    await compareWithOracle(7, COUNT)
  })

  live(
    `gives the same as oracle.py for ${RANDOM_COUNT} scenarios of seed ${RANDOM_SEED}${note}`,
    async () => {
      await compareWithOracle(RANDOM_SEED, RANDOM_COUNT)
    },
  )

  live(`prints the lines that are kept${note}`, () => {
    expect(output('python3', [ORACLE, 'run'], { input: fixture('scenarios.jsonl') })).to.equal(
      fixture('expected.jsonl'),
    )
  })
})
