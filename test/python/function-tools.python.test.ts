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

  /** Skips a test where there is no pydantic. */
  async function needPydantic(test: Mocha.Context): Promise<void> {
    const { executable } = await pythonOf(test)
    if (spawnSync(executable, ['-c', 'import pydantic']).status === 0) return
    process.stderr.write(`"${test.test?.title}" is skipped: there is no pydantic\n`)
    test.skip()
  }

  it('are given models of pydantic, where the plugin brings it', async function () {
    await needPydantic(this)
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

  it('are given models of pydantic that contain themselves, or each other', async function () {
    await needPydantic(this)
    const host = await folder.host([
      `
from typing import List, Optional
import pydantic

class Node(pydantic.BaseModel):
    v: int
    kids: List["Node"] = []

class Folder(pydantic.BaseModel):
    files: List["File"] = []

class File(pydantic.BaseModel):
    name: str
    parent: Optional[Folder] = None

def total(node: Node, others: List[Node]):
    """Adds the values of trees."""
    return node.v + sum(total(kid, []) for kid in [*node.kids, *others])

def depth(folder: Folder, file: File):
    """Counts the folders above a file."""
    return 0 if file.parent is None else 1 + len(file.parent.files)

kind, name, functions = "tool", "trees", [total, depth]
`,
    ])
    const node = { v: 1, kids: [{ v: 2, kids: [{ v: 3 }] }] }
    expect(await resultOf(host, 'total', { node, others: [{ v: 4 }] })).to.equal(10)
    const file = { name: 'a', parent: { files: [{ name: 'b' }] } }
    expect(await resultOf(host, 'depth', { folder: {}, file })).to.equal(2)
    const schemas = await host.toolSchemas()
    const [, { input_schema: schema } = {}] = schemas.filter(({ plugin }) => plugin === 'trees')
    expect(schema?.['properties']).to.deep.equal({
      folder: { $ref: '#/$defs/Folder' },
      file: { $ref: '#/$defs/File' },
    })
  })

  it('heed a field of pydantic that is the default of a parameter', async function () {
    await needPydantic(this)
    const host = await folder.host([
      `
from typing import List
from pydantic import Field

def search(query: str = Field(min_length=2), limit: int = Field(3, ge=1, le=10, description="How many"), tags: List[str] = Field(default_factory=list)):
    """Searches."""
    return [query, limit, tags]

kind, name, functions = "tool", "searching", [search]
`,
    ])
    const [tool] = (await host.toolSchemas()).filter(({ name }) => name === 'search')
    expect(tool?.input_schema).to.deep.include({ required: ['query'] })
    expect(tool?.input_schema?.['properties']).to.deep.include({
      limit: { type: 'integer', default: 3, minimum: 1, maximum: 10, description: 'How many' },
    })
    expect(await resultOf(host, 'search', { query: 'ab' })).to.deep.equal(['ab', 3, []])
    const refused = await resultOf(host, 'search', { query: 'ab', limit: 50 })
    expect(JSON.stringify(refused)).to.include('/limit')
  })
})
