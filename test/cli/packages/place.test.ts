import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { discoverHere } from '../../../src/cli/discover-here.ts'
import { checkStaged, place, readLock } from '../../../src/cli/packages/index.ts'
import { lockFile } from '../../../src/cli/packages/lock.ts'
import { packagesFolder } from '../../../src/cli/packages/places.ts'
import { readAdded } from '../../../src/core/internal.ts'
import { errorOf } from '../../helpers/plugins.ts'

const AROUND = { check: () => undefined, onReplaced: async () => undefined }

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

  async function stage(version: string, name = 'shout') {
    const installation = join(packagesFolder(), `staged-${name}-${version}`)
    const own = join(installation, 'node_modules', name)
    await mkdir(own, { recursive: true })
    const plugins = [{ kind: 'extension', name: 'shout', entry: './package.json' }]
    const json = { name, version, braidwork: { apiVersion: 1, plugins } }
    await writeFile(join(own, 'package.json'), JSON.stringify(json))
    const integrity = `sha512-${version}`
    return { name, version, integrity, installation, folder: own, packages: [] }
  }

  async function versionAt(path: string): Promise<string> {
    const text = await readFile(join(path, 'package.json'), 'utf8')
    return (JSON.parse(text) as { readonly version: string }).version
  }

  it('takes the new version, and hands out the old one before it goes', async () => {
    const replaced: string[] = []
    const note = async (old: string) => void replaced.push(await versionAt(old))
    const around = { check: () => undefined, onReplaced: note }
    await place(await stage('1.0.0'), '1', around)
    const at = await place(await stage('2.0.0'), '2', around)
    expect(replaced).to.deep.equal(['1.0.0'])
    expect(await versionAt(at)).to.equal('2.0.0')
    expect(readAdded().folders).to.deep.equal([at])
    expect(readLock()).to.deep.equal({
      shout: { version: '2.0.0', range: '2', integrity: 'sha512-2.0.0' },
    })
    expect(await readdir(packagesFolder())).to.deep.equal(['shout'])
  })

  it('keeps the old version and its records where the new one cannot be recorded', async () => {
    const at = await place(await stage('1.0.0'), '1', AROUND)
    const before = readLock()
    // The file that replaces the records is written beside them first.
    const blocked = `${lockFile()}.${process.pid}`
    await mkdir(blocked)
    const staged = await stage('2.0.0')
    const onReplaced = () => expect.fail('nothing is replaced')
    const fault = await errorOf(place(staged, '2', { ...AROUND, onReplaced }))
    expect(fault).to.have.property('code', 'PACKAGE_INSTALL_FAILED')
    expect(String(fault)).to.include('Nothing was changed.')
    expect(await versionAt(at)).to.equal('1.0.0')
    expect(readLock()).to.deep.equal(before)
    expect(await versionAt(staged.folder), 'for its owner to remove').to.equal('2.0.0')
  })

  it('is for one of two packages with a plugin of one name, also where both come at once', async () => {
    const packages = [await stage('1.0.0'), await stage('1.0.0', 'cry')]
    const outcomes = await Promise.allSettled(
      packages.map((staged) => {
        const check = () => void checkStaged(staged, discoverHere().plugins)
        check()
        return place(staged, '1', { ...AROUND, check })
      }),
    )
    expect(outcomes.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected'])
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).to.have.property('code', 'PLUGIN_NAME_TAKEN')
    expect(Object.keys(readLock())).to.have.length(1)
    expect(readAdded().folders).to.have.length(1)
  })
})
