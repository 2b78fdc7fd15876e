import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Python } from '../../src/python/find-python.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'
import { PYTHON_PLANTED } from '../testing/planted/python-plugins.ts'
import { NO_JSONSCHEMA, type SuiteResult, suitesOf } from './python-suite.ts'

const CORRECT = join(ROOT, 'test', 'testing', 'planted', 'python')

for (const { kind, file, bugs, calls = [] } of PYTHON_PLANTED)
  describe(`the suite in Python for the kind ${kind}`, function () {
    this.timeout(180_000)
    let python: Python
    let folder: string
    let results: readonly SuiteResult[]
    before(async function () {
      python = await pythonOf(this)
      folder = await mkdtemp(join(tmpdir(), 'planted-'))
      const correct = await readFile(join(CORRECT, file), 'utf8')
      const asked = bugs.map(async ({ replace }, at) => {
        const planted = correct.replace(...replace)
        expect(planted).to.not.equal(correct)
        const path = join(folder, `planted_${at}_${file}`)
        await writeFile(path, planted)
        return { kind, path, options: { calls } }
      })
      results = await suitesOf(python, await Promise.all(asked))
    })
    after(() => (folder ? rm(folder, { recursive: true }) : undefined))

    for (const [at, { bug, caught, unseen }] of bugs.entries())
      it(`${unseen === undefined ? 'catches' : 'cannot see'} ${bug}`, function () {
        const { failed = [], skipped = {} } = results[at] ?? {}
        if (unseen !== undefined) {
          process.stderr.write(`Without a host, nobody sees ${bug}: ${unseen}.\n`)
          expect(failed).to.deep.equal([])
          return
        }
        if (caught.some((name) => skipped[name] === NO_JSONSCHEMA)) {
          process.stderr.write(`"${bug}" is skipped: the interpreter has no jsonschema.\n`)
          return this.skip()
        }
        expect(failed).to.deep.equal(caught)
      })
  })
