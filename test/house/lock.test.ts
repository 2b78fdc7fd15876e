import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

interface Lock {
  readonly packages: {
    readonly [path: string]: {
      readonly optionalDependencies?: { readonly [name: string]: string }
      readonly bin?: { readonly [name: string]: string }
    }
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

  it('has the commands of workspaces as files that are not built, or npm ci does not link them', () => {
    const { packages } = JSON.parse(text) as Lock
    const own = Object.entries(packages).filter(([path]) => path.startsWith('src/'))
    const commands = own.flatMap(([path, { bin = {} }]) =>
      Object.entries(bin).map(([name, file]) => ({ name, path, file })),
    )
    expect(commands).to.deep.equal([
      { name: 'braidwork', path: 'src/cli', file: 'bin/braidwork.js' },
      { name: 'braidwork-python', path: 'src/python', file: 'bin/braidwork-python.js' },
    ])
    for (const { name, path, file } of commands) {
      const json = readFileSync(join(ROOT, path, 'package.json'), 'utf8')
      expect(JSON.parse(json)).to.have.nested.property(`bin.${name}`, `./${file}`)
      expect(existsSync(join(ROOT, path, file))).to.equal(true)
    }
  })

  it('names no address of the machine that it was made on', () => {
    expect(
      text.match(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/|[a-z]+\/)[^"]*"/g),
    ).to.equal(null)
  })
})
