import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { publishedFolders } from '../../scripts/install/published-folders.ts'
import { GROUPS } from '../../scripts/shipped-plugins.ts'
import { adviceBeside, packageAdvice, SHIPPED } from '../../src/cli/shipped-plugins.ts'
import { ROOT } from '../helpers/source-files.ts'

interface Package {
  readonly name: string
  readonly dependencies: { readonly [name: string]: string }
}

const read = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Package

describe('what the command says of a plugin that is not installed', () => {
  it('knows each published plugin that is not installed with the command', () => {
    const own = Object.keys(read('src/cli').dependencies)
    const published = publishedFolders()
      .filter((folder) => GROUPS.some((group) => folder.startsWith(`${group}/`)))
      .map((folder) => read(folder).name)
      .filter((name) => !own.includes(name) && !name.endsWith('/model-api'))
    const known = Object.entries(SHIPPED).flatMap(([kind, names]) =>
      names.map((name) => `@braidwork/${kind}-${name}`),
    )
    expect(known.toSorted()).to.deep.equal(published.toSorted())
  })

  it('names the package, and the command that installs it', () => {
    expect(packageAdvice('memory')).to.equal(
      'It is in the package @braidwork/feature-memory. To install it: npm install @braidwork/feature-memory',
    )
  })

  it('asks whether a similar name was meant', () => {
    expect(packageAdvice('opnai', ['provider'])).to.equal(
      'Did you mean "openai"? That is in the package @braidwork/provider-openai. To install it: npm install @braidwork/provider-openai',
    )
  })

  it('does not install a similar name that is registered', () => {
    const message = 'Provider "opnai" is not registered. Did you mean "openai"?'
    expect(adviceBeside(message, 'opnai', ['provider'])).to.equal(undefined)
    expect(adviceBeside('No provider "opnai" is registered.', 'opnai')).to.include('npm install')
    expect(adviceBeside('No "memory". Did you mean "memori"?', 'memory')).to.include('npm install')
  })

  it('says nothing of a name that no package has, and of another kind', () => {
    expect(packageAdvice('weather')).to.equal(undefined)
    expect(packageAdvice('memory', ['provider'])).to.equal(undefined)
  })
})
