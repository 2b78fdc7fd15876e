import { expect } from 'chai'
import { importsOf, packageOf, sourceFiles } from '../helpers/source-files.ts'

/** Packages of a vendor, and the only folder that may import each. */
const HOMES: { readonly [name: string]: string } = {
  openai: 'providers/openai/',
  '@anthropic-ai/sdk': 'providers/anthropic/',
  '@google/genai': 'providers/google/',
  pythonia: 'src/python/',
}

const HOST = sourceFiles('src')
const PLUGINS = sourceFiles('providers', 'extensions', 'features', 'tools')

describe('dependencies', () => {
  for (const [name, home] of Object.entries(HOMES)) {
    it(`"${name}" is imported in ${home} only`, () => {
      const strangers = [...HOST, ...PLUGINS].filter(
        (file) =>
          !file.path.startsWith(home) &&
          importsOf(file).some(({ from }) => packageOf(from) === name),
      )
      expect(strangers.map(({ path }) => path)).to.deep.equal([])
    })
  }

  it('of plugin packages on the host are types only, by the names that authors have', () => {
    const faults = PLUGINS.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => packageOf(from) === 'braidwork')
        .filter(({ isType }) => !isType && !isTestFile(file.path))
        .map(({ from }) => `${file.path} → ${from}`),
    )
    expect(faults).to.deep.equal([])
  })

  it('of plugin packages never reach into another folder of this repository', () => {
    const faults = PLUGINS.flatMap((file) => {
      const depth = file.path.split('/').length - 3
      const up = '../'.repeat(depth + 1)
      return importsOf(file)
        .filter(({ from }) => from.startsWith(up))
        .map(({ from }) => `${file.path} → ${from}`)
    })
    expect(faults).to.deep.equal([])
  })
})

function isTestFile(path: string): boolean {
  return path.endsWith('.test.ts')
}
