import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sampledByCommit } from '../../helpers/cases.ts'
import { pythonOf } from '../../helpers/python.ts'
import { failing } from './planted.ts'
import { PYTHON_PLANTED, planted } from './python-plugins.ts'

const CORRECT = join(import.meta.dirname, 'python')

for (const { kind, file, bugs, calls = [], api } of PYTHON_PLANTED) {
  const options = { calls, ...(api ? { api: { ...api, config: configOf(api.plugin) } } : {}) }

  describe(`the suite for ${file}, in Python`, function () {
    this.timeout(60_000)
    let folder: string
    before(async function () {
      await pythonOf(this)
      folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    })
    after(() => (folder ? rm(folder, { recursive: true }) : undefined))

    it('passes a correct one', async () => {
      expect(await failing(kind, join(CORRECT, file), options)).to.deep.equal([])
    })

    for (const [at, bug] of sampledByCommit(bugs, 8).entries())
      it(`${bug.caught.length > 0 ? 'catches' : 'need not see'} ${bug.bug}`, async () => {
        const path = join(folder, `planted_${at}_${file}`)
        await writeFile(path, planted(await readFile(join(CORRECT, file), 'utf8'), bug))
        const found = await failing(kind, path, { ...options, ...bug.options })
        // Whether a call has ended before it is cancelled depends on the time that the interpreter takes.
        const { caught, onlyPytest = [] } = bug
        if (caught.length === 0) expect(onlyPytest).to.include.members(found)
        else expect(found).to.deep.equal(caught)
      })
  })
}

/** The config with which a plugin asks an API at an address. */
function configOf(plugin: string) {
  return (url: string) => ({ settings: { [plugin]: { base_url: url } } })
}
