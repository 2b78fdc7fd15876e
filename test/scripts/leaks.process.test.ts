import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

const FOLDER = 'test/scripts/fixtures/leaks'
const MOCHA = join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js')

interface Report {
  readonly stats: { readonly passes: number; readonly failures: number }
  readonly failures: readonly { readonly err: { readonly message: string } }[]
}

/** Runs some fixtures as the runner runs test files. @returns the messages of the failures */
function leaksOf(...names: readonly string[]): readonly string[] {
  const files = names.map((name) => `${FOLDER}/${name}.ts`)
  const args = [MOCHA, '--parallel', '--jobs', '2', '--reporter', 'json', ...files]
  const env = { ...process.env, TEST_FILES: '', TEST_GRACE_MS: '100' }
  const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' })
  const { stats, failures } = JSON.parse(stdout) as Report
  expect(stats.passes).to.equal(names.length)
  return failures.map(({ err }) => err.message).sort()
}

describe('the runner of tests', function () {
  this.timeout(300_000)

  before(function () {
    if (!existsSync('/proc/self/fd')) this.skip()
  })

  it('names each test file that leaves a process, a port or a file behind, and no other', () => {
    const [file, memory, orphan, port, own, used, ...others] = leaksOf(
      'used',
      'file',
      'memory',
      'nothing',
      'orphan',
      'port',
      'process',
      // The last: what it keeps would be told of the next file that keeps nothing.
      'kept',
    )
    expect(file).to.match(
      /^test\/scripts\/fixtures\/leaks\/file\.ts left behind:\nfile .*forgotten-\w+$/,
    )
    expect(memory).to.match(/leaks\/memory\.ts left behind:\nfile .*forgotten-\w+$/)
    expect(orphan).to.match(/leaks\/orphan\.ts left behind:\nprocess \d+: sleep 1002$/)
    expect(port).to.match(/leaks\/port\.ts left behind:\nport \d+$/)
    expect(own).to.match(/leaks\/process\.ts left behind:\nprocess \d+: sleep 1001$/)
    expect(used).to.match(/leaks\/used\.ts left behind:\nprocess \d+: sleep 1005$/)
    expect(others).to.deep.equal([])
  })
})
