import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pythonOf } from '../../helpers/python.ts'
import { failing } from './planted.ts'
import { PYTHON_PLANTED } from './python-plugins.ts'

const CORRECT = join(import.meta.dirname, 'python')

for (const { kind, file, bugs, calls = [] } of PYTHON_PLANTED)
  describe(`the suite for the kind ${kind}, in Python`, function () {
    this.timeout(60_000)
    let folder: string
    before(async function () {
      await pythonOf(this)
      folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    })
    after(() => (folder ? rm(folder, { recursive: true }) : undefined))

    it('passes a correct one', async () => {
      expect(await failing(kind, join(CORRECT, file), { calls })).to.deep.equal([])
    })

    for (const [at, { bug, caught, replace }] of bugs.entries())
      it(`catches ${bug}`, async () => {
        const correct = await readFile(join(CORRECT, file), 'utf8')
        const planted = correct.replace(...replace)
        expect(planted).to.not.equal(correct)
        const path = join(folder, `planted_${at}_${file}`)
        await writeFile(path, planted)
        expect(await failing(kind, path, { calls })).to.deep.equal(caught)
      })
  })
