import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { bundledProgram } from '../helpers/bundled-program.ts'
import { ROOT } from '../helpers/source-files.ts'

async function run(script: string, ...args: readonly string[]) {
  const options = { cwd: ROOT, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [await bundledProgram(join(ROOT, script)), ...args],
    options,
  )
  return { status, stdout, stderr }
}

const REFUSED: readonly (readonly [script: string, args: readonly string[], reason: string])[] = [
  ['bench/run.ts', ['--helpp'], "Unknown option '--helpp'. The options are --only, --json."],
  [
    'scripts/load.ts',
    ['--only'],
    "Option '--only <value>' argument missing. The options are --only, --profile.",
  ],
  ['scripts/load.ts', ['--only', 'disk'], '--only needs one of script, http, not "disk".'],
  [
    'scripts/load.ts',
    ['script'],
    "Unexpected argument 'script'. The options are --only, --profile.",
  ],
  [
    'scripts/oracle.ts',
    ['--pithon'],
    "Unknown option '--pithon'. The options are --python, --mixed.",
  ],
  [
    'scripts/attack.ts',
    ['--only', '--rounds'],
    "Option '--only' argument is ambiguous. The options are --only, --profile, --rounds.",
  ],
  [
    'scripts/crash.ts',
    ['--times', 'many'],
    '--times needs a whole number of at least 1, not "many".',
  ],
  [
    'scripts/mutants.ts',
    ['--x'],
    "Unknown option '--x'. The options are --sample, --random, --python, --seed, --jobs, --minutes, --json.",
  ],
  [
    'scripts/mutants.ts',
    ['--sample', '0'],
    '--sample needs a whole number of at least 1, not "0".',
  ],
  ['scripts/mutants.ts', ['CL-00'], 'No mutant of CL-00 in test/mutants.json.'],
]

describe('a script of npm run', function () {
  this.timeout(60_000)

  for (const [script, args, reason] of REFUSED) {
    it(`refuses in one line: ${script} ${args.join(' ')}`, async () => {
      const expected = { status: 2, stdout: '', stderr: `error: ${reason}\n` }
      expect(await run(script, ...args)).to.deep.equal(expected)
    })
  }
})
