import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'
import { runWithKit, suitesOf } from './python-suite.ts'

const PLANTED = join(ROOT, 'test', 'testing', 'planted', 'python')

/** Two tests of pytest, of a correct plugin and of one with a bug. */
const TESTS = (folder: string) => `
from braidwork.testing import describe_extension, describe_tool

test_sums = describe_tool(${JSON.stringify(join(PLANTED, 'sums.py'))}, calls=[{"name": "add", "input": {"a": 1, "b": 2}}])
test_loud = describe_extension(${JSON.stringify(join(folder, 'louder.py'))})
`

describe('the suite in Python', function () {
  this.timeout(60_000)
  let python: Python
  let folder: string
  before(async function () {
    python = await pythonOf(this)
    folder = await mkdtemp(join(tmpdir(), 'suite-'))
  })
  after(() => (folder ? rm(folder, { recursive: true }) : undefined))

  it('passes correct plugins, and takes less than five seconds for each', async () => {
    const results = await suitesOf(python, [
      { kind: 'extension', path: join(PLANTED, 'loud.py') },
      { kind: 'provider', path: join(PLANTED, 'words.py') },
      { kind: 'feature', path: join(PLANTED, 'brief.py') },
      {
        kind: 'tool',
        path: join(PLANTED, 'sums.py'),
        options: { calls: [{ name: 'add', input: { a: 1, b: 2 } }] },
      },
      {
        kind: 'tool',
        path: join(PLANTED, 'places.py'),
        options: { calls: [{ name: 'go', input: {} }] },
      },
    ])
    expect(results.flatMap(({ failed }) => failed)).to.deep.equal([])
    for (const { seconds } of results) expect(seconds).to.be.below(5)
  })

  it('is a test of pytest for each behavior', async function () {
    const version = await runWithKit(python, ['-m', 'pytest', '--version']).catch(() => undefined)
    if (version === undefined) {
      process.stderr.write('A test is skipped: the interpreter has no pytest.\n')
      return this.skip()
    }
    const loud = await readFile(join(PLANTED, 'loud.py'), 'utf8')
    const bug = loud.replace('{**state, "loud": True}', '{"loud": True}')
    await writeFile(join(folder, 'louder.py'), bug)
    await writeFile(join(folder, 'test_both.py'), TESTS(folder))
    const args = ['-m', 'pytest', '-p', 'no:cacheprovider', '-v', '-rs', folder]
    const printed = await runWithKit(python, args).catch((error: Error) => error.message)
    expect(printed).to.include('test_both.py::test_sums[offers the same tools each time')
    expect(printed).to.match(/\n\S*::test_loud\[keeps the state of others in init\] FAILED/)
    expect(printed).to.include('"init" loses provider_mark, offered of the state.')
    expect(printed).to.match(/\nSee \S*docs\/hooks\.md#init\b/)
    expect(printed).to.match(/SKIPPED .*the plugin has no "is_enabled"/)
    expect(printed).to.match(/= 1 failed, 1\d\d passed, \d+ skipped/)
  })
})
