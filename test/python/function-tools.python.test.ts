import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { errorOf } from '../helpers/plugins.ts'
import { pythonOf } from '../helpers/python.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'
import { resultOf } from './function-results.ts'

describe('plain functions as tools of a Python plugin', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('are given models of pydantic, where the plugin brings it', async function () {
    const { executable } = await pythonOf(this)
    if (spawnSync(executable, ['-c', 'import pydantic']).status !== 0) {
      process.stderr.write(`"${this.test?.title}" is skipped: there is no pydantic\n`)
      return this.skip()
    }
    const text = `
import datetime, pydantic

class Inner(pydantic.BaseModel):
    n: int = pydantic.Field(2, ge=1)

class Settings(pydantic.BaseModel):
    inner: Inner = Inner()
    key: pydantic.SecretStr

class Visit(pydantic.BaseModel):
    day: datetime.date
    many: list[Inner] = []

def note(visit: Visit):
    """Notes a visit."""
    assert isinstance(visit.day, datetime.date)
    return visit

kind, name, config_schema, functions = "tool", "notes", Settings, [note]
`
    const host = await folder.host([text], { settings: { notes: { key: 'k-1234' } } })
    const visit = { day: '2024-02-29', many: [{ n: 3 }] }
    expect(await resultOf(host, 'note', { visit })).to.deep.equal(visit)
    const faulty = { settings: { notes: { key: 'k', inner: { n: 0 } } } }
    const error = await errorOf(() => host.send({ provider: 'scripted', ...faulty }, 'hello'))
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/notes/inner/n' })
    const [strict] = await host.toolSchemas({ provider: 'scripted' }, { for: 'openai-strict' })
    expect(strict?.strict).to.equal(true)
    const document = await host.uiSchema({ provider: 'scripted' })
    const section = document.sections.find(({ plugin }) => plugin === 'notes')
    expect(section?.secretsSet).to.deep.equal(['/settings/notes/key'])
    expect(JSON.stringify(document)).not.to.include('k-1234')
  })
})
