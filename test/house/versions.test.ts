import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { VERSION } from '../../src/core/version.ts'
import { VERSION as PLUGIN_VERSION } from '../../src/plugin/version.ts'
import { ROOT } from '../helpers/source-files.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly workspaces?: readonly string[]
  readonly [dependencies: string]: unknown
}

function readJson(...path: readonly string[]): Manifest {
  return JSON.parse(readFileSync(join(ROOT, ...path, 'package.json'), 'utf8')) as Manifest
}

/** The manifests of all workspaces. */
function manifests(): readonly Manifest[] {
  const parents = (readJson().workspaces ?? []).map((pattern) => dirname(pattern))
  return parents.flatMap((parent) => {
    const entries = readdirSync(join(ROOT, parent), { withFileTypes: true })
    return entries.filter((one) => one.isDirectory()).map(({ name }) => readJson(parent, name))
  })
}

describe('versions', () => {
  it('of all packages are one, which core and plugin say at run time', () => {
    const versions = manifests().map(({ name, version }) => `${name} ${version}`)
    expect(versions).to.have.length.above(25)
    expect(versions.filter((one) => !one.endsWith(` ${VERSION}`))).to.deep.equal([])
    expect(PLUGIN_VERSION).to.equal(VERSION)
  })

  it('of the Python package is the same', () => {
    const text = readFileSync(join(ROOT, 'python', 'pyproject.toml'), 'utf8')
    expect(/^version = "(.*)"$/m.exec(text)?.[1]).to.equal(VERSION)
  })

  it('by which packages depend on each other are exactly this one', () => {
    const kinds = ['dependencies', 'peerDependencies', 'optionalDependencies']
    const others = manifests().flatMap((manifest) =>
      kinds
        .flatMap((kind) => Object.entries((manifest[kind] ?? {}) as Record<string, string>))
        .filter(([name, version]) => name.startsWith('@braidwork/') && version !== VERSION)
        .map(([name, version]) => `${manifest.name} → ${name} ${version}`),
    )
    expect(others).to.deep.equal([])
  })
})
