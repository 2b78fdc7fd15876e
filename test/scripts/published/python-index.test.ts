import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type PythonIndex, startPythonIndex } from '../../../scripts/published/python-index.ts'

const WHEEL = 'pkg_tea-1.0.0-py3-none-any.whl'

describe('an index of Python on loopback', () => {
  let folder: string
  let index: PythonIndex
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    index = await startPythonIndex(folder)
  })
  afterEach(async () => {
    await index.close()
    await rm(folder, { recursive: true })
  })

  async function textOf(path: string): Promise<string> {
    return (await fetch(new URL(path, index.simple))).text()
  }

  function upload(name: string): Promise<Response> {
    const body = new FormData()
    body.set(':action', 'file_upload')
    body.set('content', new Blob(['tea']), name)
    return fetch(index.uploads, { method: 'POST', body })
  }

  it('lists the projects of its files, whose names are normalized', async () => {
    for (const name of [WHEEL, 'pkg_tea-1.0.0.tar.gz', 'Other.Kit-2.0-py3-none-any.whl', 'x.txt'])
      await writeFile(join(folder, name), 'tea')
    const links = [...(await textOf('/simple/')).matchAll(/href="([^"]*)"/g)].map(([, to]) => to)
    expect(links).to.have.members(['/simple/other-kit/', '/simple/pkg-tea/'])
  })

  it('gives the files of a project with their hashes', async () => {
    await writeFile(join(folder, WHEEL), 'tea')
    for (const name of ['pkg-tea', 'Pkg_Tea']) {
      const [, to = ''] = /href="([^"]*)"/.exec(await textOf(`${name}/`)) ?? []
      const [path = '', hash] = to.split('#')
      expect(hash).to.equal(`sha256=${createHash('sha256').update('tea').digest('hex')}`)
      expect(await textOf(path)).to.equal('tea')
    }
  })

  it('has nothing but its files', async () => {
    await writeFile(join(folder, 'x.txt'), 'secret')
    for (const path of ['gone/', '/files/x.txt', '/files/..%2f..%2fetc%2fpasswd', '/simple', '/'])
      expect((await fetch(new URL(path, index.simple))).status, path).to.equal(404)
  })

  it('takes an upload once, into its folder', async () => {
    expect((await upload(`../${WHEEL}`)).status).to.equal(200)
    expect(await readdir(folder)).to.deep.equal([WHEEL])
    expect(await readFile(join(folder, WHEEL), 'utf8')).to.equal('tea')
    expect((await upload(WHEEL)).ok, 'the same file again').to.equal(false)
    expect((await upload('notes.txt')).status).to.equal(400)
    expect(await readdir(folder)).to.deep.equal([WHEEL])
  })
})
