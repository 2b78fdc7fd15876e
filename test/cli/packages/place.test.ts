import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { place, readLock } from '../../../src/cli/packages/index.ts'
import { packagesFolder } from '../../../src/cli/packages/places.ts'
import { addedFile, readAdded } from '../../../src/core/internal.ts'

describe('the place of an installed package', () => {
  let folder: string
  const usual = process.env['XDG_CONFIG_HOME']
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    process.env['XDG_CONFIG_HOME'] = folder
  })
  afterEach(async () => {
    if (usual === undefined) delete process.env['XDG_CONFIG_HOME']
    else process.env['XDG_CONFIG_HOME'] = usual
    await rm(folder, { recursive: true })
  })

  async function stage(version: string) {
    const installation = join(packagesFolder(), `staged-${version}`)
    const own = join(installation, 'node_modules', 'shout')
    await mkdir(own, { recursive: true })
    const plugins = [{ kind: 'extension', name: 'shout', entry: './package.json' }]
    const json = { name: 'shout', version, braidwork: { apiVersion: 1, plugins } }
    await writeFile(join(own, 'package.json'), JSON.stringify(json))
    const integrity = `sha512-${version}`
    return { name: 'shout', version, integrity, installation, folder: own, packages: [] }
  }

  async function versionAt(path: string): Promise<string> {
    const text = await readFile(join(path, 'package.json'), 'utf8')
    return (JSON.parse(text) as { readonly version: string }).version
  }

  it('takes the new version, and hands out the old one before it goes', async () => {
    const replaced: string[] = []
    const note = async (old: string) => void replaced.push(await versionAt(old))
    await place(await stage('1.0.0'), '1', note)
    const at = await place(await stage('2.0.0'), '2', note)
    expect(replaced).to.deep.equal(['1.0.0'])
    expect(await versionAt(at)).to.equal('2.0.0')
    expect(readAdded().folders).to.deep.equal([at])
    expect(readLock()).to.deep.equal({
      shout: { version: '2.0.0', range: '2', integrity: 'sha512-2.0.0' },
    })
    expect(await readdir(packagesFolder())).to.deep.equal(['shout'])
  })

  it('keeps the old version and its records where the new one cannot be recorded', async () => {
    const at = await place(await stage('1.0.0'), '1', async () => undefined)
    const before = readLock()
    // The file that replaces the records is written beside them first.
    const blocked = `${join(addedFile(), '..', 'plugins-lock.json')}.${process.pid}`
    await mkdir(blocked)
    const staged = await stage('2.0.0')
    const fault = await place(staged, '2', () => expect.fail('nothing is replaced')).catch(
      (error: unknown) => error,
    )
    expect(fault).to.have.property('code', 'PACKAGE_INSTALL_FAILED')
    expect(String(fault)).to.include('Nothing was changed.')
    expect(await versionAt(at)).to.equal('1.0.0')
    expect(readLock()).to.deep.equal(before)
    expect(await versionAt(staged.folder), 'for its owner to remove').to.equal('2.0.0')
  })
})
