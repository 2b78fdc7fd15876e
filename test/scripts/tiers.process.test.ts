import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { bundledProgram } from '../helpers/bundled-program.ts'
import { ROOT } from '../helpers/source-files.ts'

async function runTests(...args: readonly string[]) {
  const runner = await bundledProgram(join(ROOT, 'scripts', 'tests.ts'))
  // Its files are not those of this run.
  const env = { ...process.env, TEST_FILES: '' }
  const options = { cwd: ROOT, env, encoding: 'utf8' } as const
  return spawnSync(process.execPath, [runner, ...args], options)
}

describe('npm run test:full', function () {
  this.timeout(60_000)

  it('names the tiers where it is asked for another', async () => {
    const { status, stderr } = await runTests('--tier', 'brwser')
    expect(status).to.equal(2)
    expect(stderr)
      .to.match(/^error: No tier .*\n$/)
      .and.include('No tier "brwser". There are: default, cases, growth, process')
  })

  it('says which value of --sample it needs', async () => {
    const { status, stderr } = await runTests('--sample', 'some')
    expect([status, stderr]).to.deep.equal([
      2,
      'error: --sample needs a whole number of at least 1, not "some".\n',
    ])
  })

  it('leaves tiers out', async () => {
    const { status, stdout } = await runTests('--tier', 'browser', '--without', 'browser')
    expect([status, stdout.includes('== tier')]).to.deep.equal([1, false])
  })
})
