import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { sampledByCommit } from '../helpers/cases.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'
import { PYTHON_PLANTED, planted } from '../testing/planted/python-plugins.ts'
import { NO_JSONSCHEMA, type SuiteResult, suitesOf } from './python-suite.ts'
import { ONLY_IN_HOST } from './suite-names.ts'

const CORRECT = join(ROOT, 'test', 'testing', 'planted', 'python')

for (const { kind, file, bugs: all, calls = [], api } of PYTHON_PLANTED) {
  const bugs = sampledByCommit(all, 4)

  describe(`the suite in Python for ${file}`, function () {
    this.timeout(180_000)
    let python: Python
    let folder: string
    let results: readonly SuiteResult[]
    before(async function () {
      python = await pythonOf(this)
      folder = await mkdtemp(join(tmpdir(), 'planted-'))
      const options = { calls, ...(api ? { api } : {}) }
      const correct = await readFile(join(CORRECT, file), 'utf8')
      const asked = bugs.map(async (bug, at) => {
        const path = join(folder, `planted_${at}_${file}`)
        await writeFile(path, planted(correct, bug))
        return { kind, path, options: { ...options, ...bug.options } }
      })
      const all = [{ kind, path: join(CORRECT, file), options }, ...(await Promise.all(asked))]
      results = await suitesOf(python, all)
    })
    after(() => (folder ? rm(folder, { recursive: true }) : undefined))

    it('passes the correct one', () => {
      expect(results[0]?.failed).to.deep.equal([])
    })

    for (const [at, { bug, caught, onlyPytest = [] }] of bugs.entries()) {
      const seen = [...caught.filter((name) => !(name in ONLY_IN_HOST[kind])), ...onlyPytest]
      it(`catches ${bug}`, function () {
        const { failed = [], skipped = {} } = results[at + 1] ?? {}
        if (seen.some((name) => skipped[name] === NO_JSONSCHEMA)) {
          process.stderr.write(`"${bug}" is skipped: the interpreter has no jsonschema.\n`)
          return this.skip()
        }
        expect(failed).to.deep.equal(seen)
      })
    }
  })
}
