import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import { runScenario, toPythonJson } from '../scripts/run-scenario.ts'
import type { Scenario } from '../scripts/scenario.ts'
import { ROOT } from './helpers/source-files.ts'

const FIXTURES = join(import.meta.dirname, 'oracle', 'fixtures')
const ORACLE = join(ROOT, '..', 'shared', 'oracle', 'oracle.py')
/** Scenarios of seed 7; CI and a patient person ask for more. */
const COUNT = Number(process.env['ORACLE_COUNT'] ?? 300)
const RANDOM_SEED = Number(process.env['ORACLE_SEED'] ?? Math.floor(Math.random() * 1_000_000))

interface Spawned {
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
}

/** What a command prints. */
function output(
  command: string,
  args: readonly string[],
  { env, input = '' }: Spawned = {},
): string {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 30, input } as const
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    ...(env && { env }),
  })
  if (error) throw error
  expect(status, stderr).to.equal(0)
  return stdout
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
const fixture = (name: string) => readFileSync(join(FIXTURES, name), 'utf8')

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

  live(`gives the same as oracle.py for 100 scenarios of seed ${RANDOM_SEED}${note}`, async () => {
    await compareWithOracle(RANDOM_SEED, 100)
  })

  live(`prints the lines that are kept${note}`, () => {
    expect(output('python3', [ORACLE, 'run'], { input: fixture('scenarios.jsonl') })).to.equal(
      fixture('expected.jsonl'),
    )
  })

  describe('as npm run oracle', () => {
    let folder = ''
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'braidwork-oracle-'))
      for (const program of ['node', 'npm', 'sh'])
        symlinkSync(onPath(program), join(folder, program))
    })
    after(() => rmSync(folder, { recursive: true }))

    it('prints the same lines, with no python on the PATH', () => {
      const env = { ...process.env, PATH: folder }
      expect(spawnSync('python3', ['--version'], { env }).error).to.include({ code: 'ENOENT' })
      const printed = output('npm', ['run', '--silent', 'oracle'], {
        env,
        input: fixture('scenarios.jsonl'),
      })
      expect(printed).to.equal(fixture('expected.jsonl'))
    })
  })
})

function onPath(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, program)).find(existsSync)
  if (found === undefined) throw new Error(`${program} is not on the PATH`)
  return found
}
