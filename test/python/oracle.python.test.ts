import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Languages, PythonScenarios } from '../../scripts/python-scenarios.ts'
import { runScenario, toPythonJson } from '../../scripts/run-scenario.ts'
import type { Scenario } from '../../scripts/scenario.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'

const ORACLE = join(ROOT, '..', 'shared', 'oracle', 'oracle.py')
const FIXTURES = join(ROOT, 'test', 'oracle', 'fixtures')

function linesOf(name: string): string[] {
  const text = readFileSync(join(FIXTURES, name), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}

describe('the oracle, its plugins in Python', function () {
  this.timeout(120_000)
  before(async function () {
    await pythonOf(this)
    if (existsSync(ORACLE)) return
    process.stderr.write('skipped: there is no ../shared/oracle/oracle.py beside this clone\n')
    this.skip()
  })

  async function compare(languages: Languages): Promise<PythonScenarios> {
    const python = await PythonScenarios.make(languages, ORACLE)
    const expected = linesOf('expected.jsonl')
    try {
      for (const [at, line] of linesOf('scenarios.jsonl').entries()) {
        const result = toPythonJson(await runScenario(JSON.parse(line) as Scenario, python.build))
        expect(result).to.equal(expected[at])
      }
    } finally {
      await python.close()
    }
    return python
  }

  it('gives the expected line for each of the scenarios that are kept', async () => {
    const { ran } = await compare('python')
    expect(ran.typescript).to.equal(0)
    expect(ran.python).to.be.above(1000)
  })

  it('gives the same with the languages in turn', async () => {
    const { ran } = await compare('mixed')
    expect(ran.typescript).to.be.above(500)
    expect(ran.python).to.be.above(500)
  })
})
