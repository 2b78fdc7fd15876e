import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { keepingTrust } from '../../../src/core/load/keep-trust.ts'
import { pin, pinsOf } from '../../../src/core/load/trust.ts'
import { currentPins, folderTrust } from '../../../src/core/load/trusted-folder.ts'
import { useConfigFolder } from '../../helpers/config-folder.ts'

const packageOf = (name: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({
    name,
    version: '1.0.0',
    braidwork: { apiVersion: 1, plugins: [{ kind: 'extension', name, entry: './index.mjs' }] },
  }),
  [`node_modules/${name}/index.mjs`]: `export default { kind: 'extension', name: '${name}' }`,
})

const dependencies = (...names: readonly string[]) => ({
  'package.json': JSON.stringify({
    dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
  }),
})

describe('trust in a folder whose config the host writes', () => {
  const configFolder = useConfigFolder()
  let folder: string
  beforeEach(() => {
    folder = configFolder()
  })

  function write(files: { readonly [path: string]: string }): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }

  /** A folder with a package, both trusted. */
  function trustKnown(): void {
    write({
      ...dependencies('known'),
      ...packageOf('known'),
      'braidwork.json': '{"seed": 1}',
    })
    pin(folder, currentPins(folder))
  }

  const edit = () => {
    const file = join(folder, 'braidwork.json')
    keepingTrust(file, () => writeFileSync(file, '{"seed": 2}'))
  }

  it('goes on with the new content', () => {
    trustKnown()
    edit()
    expect(folderTrust(folder)).to.equal('trusted')
  })

  it('does not come to a package that was installed since', () => {
    trustKnown()
    write({ ...dependencies('known', 'fresh'), ...packageOf('fresh') })
    edit()
    expect(folderTrust(folder)).to.equal('changed')
    const pinned = Object.keys(pinsOf(folder) ?? {})
    expect(pinned.filter((path) => path.includes('fresh'))).to.deep.equal([])
  })
})
