import { expect } from 'chai'
import { importsOf, packageOf, sourceFiles } from '../helpers/source-files.ts'

/** Packages of a vendor, and the only folders that may import each. */
const HOMES: { readonly [name: string]: readonly string[] } = {
  openai: ['providers/openai/', 'providers/openai-compatible/'],
  '@anthropic-ai/sdk': ['providers/anthropic/'],
  '@google/genai': ['providers/google/'],
  pythonia: ['src/python/'],
}

/** What a plugin package offers to others, and the files that use it. */
const SHARED: ReadonlyMap<string, readonly string[]> = new Map([
  ['@braidwork/tool-mcp/resources', ['features/mcp-resources/index.ts']],
])

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

  it('of plugin packages on the host are on what plugins are made of, and nothing else', () => {
    const allowed = new Set([
      '@braidwork/plugin',
      '@braidwork/model-api',
      '@braidwork/request-guard',
    ])
    const faults = PLUGINS.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => /^(@braidwork|braidwork)(\/|$)/.test(from))
        .filter(({ from }) => !allowed.has(packageOf(from) ?? '') || from.endsWith('/internal'))
        .filter(({ from }) => !SHARED.get(from)?.includes(file.path))
        .map(({ from }) => `${file.path} → ${from}`),
    )
    expect(faults).to.deep.equal([])
  })

  it('of plugin packages never reach into another folder', () => {
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
