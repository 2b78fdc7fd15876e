import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { makeVenv } from '../../src/python/venvs/make-venv.ts'
import { ROOT } from '../helpers/source-files.ts'
import { makeWheel, projectOf, pythonHere } from './python-plugins.ts'
import { eachVenvFolder, type VenvFolder } from './venv-folder.ts'

const COMMAND = join(ROOT, 'src', 'python', 'bin', 'braidwork-python.js')

describe('braidwork-python', function () {
  this.timeout(60_000)
  let made: VenvFolder
  let python: Python
  eachVenvFolder((given) => {
    made = given
  })
  before(async function () {
    python = (await pythonHere()) ?? this.skip()
  })

  function run(cwd: string, ...args: readonly string[]) {
    const env = { ...made.variables, NODE_OPTIONS: '' }
    const command = [COMMAND, ...args]
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      cwd,
      env,
      encoding: 'utf8',
    })
    return { status, out: stdout, err: stderr }
  }

  it('runs the base interpreter for a plugin without packages, with the kit', async () => {
    const words = await made.plugin('words', projectOf([]))
    const program = 'import braidwork.testing, sys; print(sys.executable); sys.exit(3)'
    expect(run(words, '-c', program)).to.deep.equal({
      status: 3,
      out: `${python.executable}\n`,
      err: '',
    })
  })

  it('runs the environment of a plugin with packages, once it is made', async () => {
    const wheel = await makeWheel(python, made.folder, 'word_one')
    const words = await made.plugin('words', projectOf([wheel]))
    const program = 'import braidwork.testing, word_one; print(word_one.WORD)'
    const early = run(words, '-c', program)
    expect([early.status, early.out]).to.deep.equal([1, ''])
    expect(early.err)
      .to.match(/^error PYTHON_ENVIRONMENT_MISSING: /)
      .and.include('braidwork plugins add')
    await makeVenv(words, python, { variables: made.variables })
    expect(run(words, '-c', program)).to.deep.equal({ status: 0, out: 'word_one\n', err: '' })
  })

  it('ends as the interpreter does', async () => {
    const words = await made.plugin('words', projectOf([]))
    const program = 'import os, signal; os.kill(os.getpid(), signal.SIGTERM)'
    expect(run(words, '-c', program).status).to.equal(128 + 15)
  })
})
