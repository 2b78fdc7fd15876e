import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Kind } from '../../../src/plugin/kinds.ts'
import { suiteOf } from '../../../src/testing/index.ts'
import { extension } from '../../helpers/plugins.ts'

const PLUGINS = {
  provider: `{ kind: 'provider', name: 'own', getTags: () => ['text', 'tools'], async *stream() { yield 'Hi' } }`,
  extension: `{ kind: 'extension', name: 'own', init: (_, state) => state, fromNative: (_, core) => core,
    configSchema: { type: 'object', properties: { key: { type: 'string', 'x-env': 'OWN_KEY' } } } }`,
  tool: `{ kind: 'tool', name: 'own', executeTool: () => 1,
    getToolSchemas: () => [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }] }`,
} as const

describe('the check of a manifest', () => {
  let folder: string
  let made: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'manifest-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** What the check says of a package: a fault, why it cannot be made, or undefined. */
  async function saidOf(kind: Kind, plugin: unknown): Promise<string | undefined> {
    const { checks, close } = suiteOf(kind, plugin)
    const check = checks.find(({ name }) => name === 'is what its manifest says')
    try {
      return await check?.run()
    } catch (error) {
      return (error as Error).message
    } finally {
      await close()
    }
  }

  async function withManifest(kind: keyof typeof PLUGINS, facts: object) {
    const plugins = [{ kind, name: 'own', entry: './index.js', ...facts }]
    const json = { name: 'own', type: 'module', braidwork: { apiVersion: 1, plugins } }
    // A module runs once, so each one needs a path of its own.
    made = await mkdtemp(join(folder, 'own-'))
    await writeFile(join(made, 'package.json'), JSON.stringify(json))
    await writeFile(join(made, 'index.js'), `export default ${PLUGINS[kind]}\n`)
    return saidOf(kind, made)
  }

  it('passes one that says nothing, and one that is right', async () => {
    for (const kind of ['provider', 'extension', 'tool'] as const) {
      expect(await withManifest(kind, {}), kind).to.equal(undefined)
    }
  })

  it('passes one that says all', async () => {
    const facts = { hooks: ['fromNative', 'init'], variables: ['OWN_KEY', 'HTTP_PROXY'] }
    expect(await withManifest('extension', facts)).to.equal(undefined)
  })

  it('passes tags that only some models have', async () => {
    const tags = ['text', 'tools', 'reasoning']
    expect(await withManifest('provider', { tags })).to.equal(undefined)
  })

  it('names hooks and tools that are other ones', async () => {
    expect(await withManifest('extension', { hooks: ['fromNative'] })).to.match(
      /^The manifest says "hooks": \["fromNative"\], but the plugin has \["init","fromNative"\]\./,
    )
    expect(await withManifest('tool', { tools: [{ name: 'see' }] })).to.match(
      /"tools": \["see"\], but the plugin has \["look"\]\. .*build the package again/,
    )
  })

  it('names tags and variables that it lacks', async () => {
    expect(await withManifest('provider', { tags: ['text'] })).to.match(
      /^"tags" of the manifest lacks \["tools"\], which the plugin has\./,
    )
    expect(await withManifest('extension', { variables: [] })).to.match(
      /^"variables" of the manifest lacks \["OWN_KEY"\]/,
    )
  })

  it('is not made without the folder of a package', async () => {
    await withManifest('extension', {})
    for (const given of [join(made, 'index.js'), extension('own')]) {
      expect(await saidOf('extension', given)).to.match(/^pass the folder of the package/)
    }
  })
})
