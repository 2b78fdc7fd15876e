import { expect } from 'chai'
import { importsOf, packageOf, sourceFiles } from '../helpers/source-files.ts'

/** Packages of a vendor, and the only folders that may import each. */
const HOMES: { readonly [name: string]: readonly string[] } = {
  openai: ['providers/openai/', 'providers/openai-compatible/'],
  '@anthropic-ai/sdk': ['providers/anthropic/'],
  '@google/genai': ['providers/google/'],
  pythonia: ['src/python/'],
}

/** What providers share; each of their packages compiles it in. */
const SHARED_BY_PROVIDERS = '/model-api/'

const HOST = sourceFiles('src')
const PLUGINS = sourceFiles('providers', 'extensions', 'features', 'tools')

describe('dependencies', () => {
  for (const [name, homes] of Object.entries(HOMES)) {
    it(`"${name}" is imported in ${homes.join(' and ')} only`, () => {
      const strangers = [...HOST, ...PLUGINS].filter(
        (file) =>
          !homes.some((home) => file.path.startsWith(home)) &&
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

  it('of plugin packages never reach into another folder, but for what providers share', () => {
    const faults = PLUGINS.flatMap((file) => {
      const depth = file.path.split('/').length - 3
      const up = '../'.repeat(depth + 1)
      return importsOf(file)
        .filter(({ from }) => from.startsWith(up) && !isShared(file.path, from))
        .map(({ from }) => `${file.path} → ${from}`)
    })
    expect(faults).to.deep.equal([])
  })
})

function isShared(path: string, from: string): boolean {
  return path.startsWith('providers/') && from.includes(SHARED_BY_PROVIDERS)
}

function isTestFile(path: string): boolean {
  return path.endsWith('.test.ts')
}
