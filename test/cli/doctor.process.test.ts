import { expect } from 'chai'
import { projectOf } from '../python/python-plugins.ts'
import { type ExaminedFolder, eachExaminedFolder } from './examined.ts'

describe('braidwork doctor', function () {
  this.timeout(60_000)
  let env: ExaminedFolder['env']
  let run: ExaminedFolder['run']
  let examine: ExaminedFolder['examine']
  let addUnmade: ExaminedFolder['addUnmade']
  eachExaminedFolder((made) => {
    ;({ env, run, examine, addUnmade } = made)
  })

  it('is content without any Python, where no plugin needs one', async () => {
    const { status, report } = await examine({ PYTHON_BIN: '/nowhere/python3' })
    expect(status).to.equal(0)
    expect(report.base.fault).to.include('there is no such program')
    expect(report.plugins).to.deep.equal([])
  })

  it('says of a plugin without any Python what to install', async () => {
    await addUnmade(projectOf([]))
    const without = { ...env, PYTHON_BIN: '/nowhere/python3' }
    const { status, out } = await run(['doctor'], { env: without })
    expect(status).to.equal(1)
    expect(out).to.include('No Python: ').and.include('Install Python 3.9 or newer')
    expect(out).to.match(/^words +off +nothing$/m)
  })

  it('says what is wrong with a pyproject.toml', async () => {
    await addUnmade('[project')
    const { status, report } = await examine()
    expect(status).to.equal(1)
    expect(report.plugins[0]?.fault).to.match(/^pyproject\.toml of ".*words" is not valid at \/: /)
  })
})
