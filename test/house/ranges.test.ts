import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { isExcluded } from '../../src/cli/packages/version-range.ts'
import { ROOT } from '../helpers/source-files.ts'

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly engines?: { readonly node?: string }
  readonly [dependencies: string]: unknown
}

/** The fields of a package.json that name other packages. */
const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
const WORKSPACE = /^(?!.*node_modules\/)./

describe('the ranges of dependencies', () => {
  const text = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { readonly packages: { readonly [at: string]: Locked } }
  const workspaces = Object.entries(packages).filter(([path]) => WORKSPACE.test(path))

  it('name one major version, because an installer takes the newest, whatever Node it needs', () => {
    expect(workspaces).to.have.length.above(25)
    const faults = workspaces.flatMap(([path, workspace]) =>
      FIELDS.flatMap((field) => Object.entries(workspace[field] ?? {}))
        .filter(([, range]) => /\|\||^[*>]|^latest$/.test(String(range)))
        .map(([name, range]) => `${path}: ${name} ${range}`),
    )
    expect(faults).to.deep.equal([])
  })

  it('lead to packages that run on the oldest Node that we name', () => {
    const [, cli] = workspaces.find(([path]) => path === 'src/cli') ?? []
    const [, named] = /^>=(\d+\.\d+)$/.exec(cli?.engines?.node ?? '') ?? []
    const oldest = `${named ?? expect.fail('no version')}.0`
    const faults = Object.entries(packages)
      .filter(([, { dev, engines }]) => !dev && isExcluded(oldest, engines?.node ?? '*'))
      .map(([path, { version, engines }]) => `${path}@${version} needs Node ${engines?.node}`)
    expect(faults).to.deep.equal([])
  })
})
