import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { locatePlugins } from '../../../src/core/load/load-plugin.ts'
import { languageFault } from '../../../src/core/load/module-language.ts'

const unknownEnding = (ending: string) => {
  const said = `Unknown file extension "${ending}" for /plugins/mine${ending}`
  return Object.assign(new TypeError(said), { code: 'ERR_UNKNOWN_FILE_EXTENSION' })
}

describe('a plugin in a file that Node does not run', () => {
  it('is told to be TypeScript', () => {
    for (const ending of ['.ts', '.mts', '.cts'])
      expect(languageFault(unknownEnding(ending))).to.include('does not run TypeScript; build')
  })

  it('is told to need another ending where it has none of JSX in it', () => {
    expect(languageFault(unknownEnding('.tsx'))).to.include('no JSX in it, call it ".ts"')
    expect(languageFault(unknownEnding('.jsx'))).to.include('no JSX in it, call it ".js"')
  })

  it('is told which endings plugins have', () => {
    expect(languageFault(unknownEnding('.txt')))
      .to.include('".txt"')
      .and.include('such as ".js", ".ts" or ".py"')
  })
})

describe('the name of a plugin in a project without node_modules', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pnp-'))
    await writeFile(join(folder, '.pnp.cjs'), '')
  })
  after(() => rm(folder, { recursive: true }))

  it('is refused with that reason, and the ways out', () => {
    expect(() => locatePlugins('braidwork-shout', { from: folder }))
      .to.throw('without node_modules')
      .with.property('message')
      .that.includes('import the plugin')
      .and.includes('nodeLinker: node-modules')
  })
})
