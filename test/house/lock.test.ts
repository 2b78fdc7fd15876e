import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

interface Lock {
  readonly packages: {
    readonly [path: string]: { readonly optionalDependencies?: { readonly [name: string]: string } }
  }
}

describe('package-lock.json', () => {
  const text = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')

  it('locks the packages of every platform, or npm ci refuses it; "npm run lock" adds them', () => {
    const { packages } = JSON.parse(text) as Lock
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      ),
    )
    expect(missing).to.deep.equal([])
  })

  it('names no address of the machine that it was made on', () => {
    expect(
      text.match(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/|[a-z]+\/)[^"]*"/g),
    ).to.equal(null)
  })
})
