import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import aiSdk from '../../../providers/ai-sdk/index.ts'
import { takenBy } from '../../../providers/ai-sdk/packages.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import { readConfigFile } from '../../../src/core/load/config-file.ts'
import { configOf, FakeModels, hostOf } from './models.ts'

/** A package whose models answer with the options of their factory. */
const FACTORY = (version: string) => `
const model = (options) => (modelId) => ({
  specificationVersion: '${version}', provider: 'fake.chat', modelId, supportedUrls: {},
  doGenerate: async () => ({
    content: [{ type: 'text', text: JSON.stringify({ modelId, ...options }) }],
    finishReason: 'stop', usage: {}, warnings: [],
  }),
  doStream: async () => { throw new Error('whole answers only') },
})
`
const PACKAGES: { readonly [name: string]: { json: object; files: { [path: string]: string } } } = {
  '@made/import': {
    json: { type: 'module', exports: { '.': { types: './x.d.ts', import: './index.js' } } },
    files: {
      'index.js': `${FACTORY('v4')}
        export const createFake = (options) => Object.assign(model(options), { chat: model({ chat: true }), none: () => 4 })
        export const createAlias = createFake`,
    },
  },
  '@made/parts': {
    json: { type: 'module', exports: { '.': './index.js', './chat': { default: './chat.js' } } },
    files: {
      'index.js': `export const createOne = () => ({}), createTwo = () => ({}), other = () => 4`,
      'chat.js': `${FACTORY('v2')} export const createFake = (options) => ({ languageModel: model(options) })`,
    },
  },
  plain: {
    json: { main: './main.cjs' },
    files: { 'main.cjs': `${FACTORY('v3')} exports.createFake = (options) => model(options)` },
  },
  future: {
    json: { type: 'module', exports: './index.js' },
    files: { 'index.js': `${FACTORY('v9')} export const createFake = model` },
  },
  broken: {
    json: { type: 'module', exports: { node: { import: './index.js' } } },
    files: { 'index.js': `import 'a-package-that-is-not-there'` },
  },
  bare: {
    json: { exports: { './only': './only.js' }, type: 'module' },
    files: { 'only.js': 'export const nothing = 1' },
  },
}

describe('packages in the provider ai-sdk', () => {
  let folder: string
  let host: Host
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    host = await createHost({ plugins: [aiSdk] })
    for (const [name, { json, files }] of Object.entries(PACKAGES)) {
      const own = join(folder, 'node_modules', name)
      await mkdir(own, { recursive: true })
      await writeFile(join(own, 'package.json'), JSON.stringify({ name, ...json }))
      for (const [path, text] of Object.entries(files)) await writeFile(join(own, path), text)
    }
  })
  after(async () => {
    await host.close()
    await rm(folder, { recursive: true })
  })

  async function textWith(settings: { readonly npm_package?: string }) {
    const name = settings.npm_package
    const found = name ? { npm_package: join(folder, 'node_modules', name) } : {}
    const { messages } = await host.send(configOf({}, { ...settings, ...found }), 'Hello')
    const [part] = messages[0]?.parts ?? []
    return JSON.parse(part?.type === 'text' ? part.text : '') as object
  }

  const errorWith = async (settings: { readonly npm_package?: string }) => {
    const error: unknown = await textWith(settings).catch((thrown: unknown) => thrown)
    return error as { code: string; pointer: string; message: string }
  }

  for (const name of ['@made/import', '@made/parts/chat', 'plain']) {
    it(`are imported as Node does it: ${name}`, async () => {
      expect(await textWith({ npm_package: name })).to.deep.equal({ modelId: 'm' })
    })
  }

  it('get the key, the address and the other options of the settings', async () => {
    const settings = {
      npm_package: 'plain',
      api_key: 'key',
      base_url: 'https://a.test/v1',
      headers: { 'x-a': '1' },
      options: { region: 'eu', apiKey: 'lower' },
      secret_options: { token: 'sesame' },
    }
    expect(Object.keys(await textWith(settings))).to.have.members([
      'modelId',
      'region',
      'apiKey',
      'token',
      'baseURL',
      'headers',
    ])
  })

  it('make the model by the method that the settings name', async () => {
    const settings = { npm_package: '@made/import', api: 'chat' }
    expect(await textWith(settings)).to.deep.equal({ modelId: 'm', chat: true })
  })

  it('are found from the folder of the config file', async () => {
    const path = join(folder, 'braidwork.json')
    await writeFile(path, JSON.stringify(configOf({}, { npm_package: '@made/parts/chat' })))
    const { messages } = await host.send(readConfigFile(path).config, 'Hello')
    expect(messages).to.have.length(1)
  })

  const FAULTS: readonly [title: string, settings: object, code: string, said: string][] = [
    ['none is named', {}, 'SETTINGS_INVALID', 'npm_package'],
    ['they are not installed', { npm_package: 'absent' }, 'PACKAGE_MISSING', 'npm install absent'],
    ['they have no such export', { npm_package: 'bare' }, 'SETTINGS_INVALID', 'no module'],
    ['they cannot be loaded', { npm_package: 'broken' }, 'SETTINGS_INVALID', 'is-not-there'],
    [
      'they have several factories',
      { npm_package: '@made/parts' },
      'SETTINGS_INVALID',
      'createOne, createTwo',
    ],
    [
      'they have no such factory',
      { npm_package: 'plain', factory: 'createX' },
      'SETTINGS_INVALID',
      'no function "createX"',
    ],
    [
      'their factory makes nothing',
      { npm_package: '@made/parts', factory: 'other' },
      'SETTINGS_INVALID',
      'makes no provider',
    ],
    [
      'they have no such method',
      { npm_package: '@made/import', api: 'responses' },
      'SETTINGS_INVALID',
      'It has chat, none',
    ],
    [
      'the method makes no model',
      { npm_package: '@made/import', api: 'none' },
      'SETTINGS_INVALID',
      'makes no language model',
    ],
    [
      'their specification is unknown',
      { npm_package: 'future' },
      'SETTINGS_INVALID',
      '"v9". The provider "ai-sdk" knows v2, v3, v4',
    ],
  ]
  for (const [title, settings, code, said] of FAULTS) {
    it(`are refused where ${title}, and the error names the setting`, async () => {
      const error = await errorWith(settings)
      expect(error).to.include({ code })
      expect(error.message).to.include(said)
      expect(error.pointer).to.match(/^\/settings\/ai-sdk\/(npm_package|factory|api)$/)
    })
  }

  it('are refused by their names where these are paths out of the installed packages', async () => {
    for (const npm_package of ['./here.mjs', '/tmp/here.mjs', 'a/../../b', 'node:fs', '']) {
      const error: unknown = await host
        .send(configOf({}, { npm_package }), 'Hello')
        .catch((thrown: unknown) => thrown)
      expect(error, npm_package).to.include({ code: 'SETTINGS_INVALID' })
    }
  })

  it('are not needed where the program has the provider', async () => {
    const own = await hostOf(new FakeModels())
    const { finishReason } = await own.stream(configOf(), 'Hello').result
    await own.close()
    expect(finishReason).to.equal('stop')
  })
})

describe('what packages of the AI SDK take', () => {
  const take = (api: string, name = 'x') => {
    const { files, inResults } = takenBy(api, name)
    const types = ['image/png', 'application/pdf', 'audio/wav', 'text/plain', 'application/x-foo']
    return { files: types.filter((type) => files.test(type)), hasFileResults: !!inResults }
  }

  it('is known by the model API, also where Vertex serves it', () => {
    for (const api of ['anthropic.messages', 'vertex.anthropic.messages']) {
      const files = ['image/png', 'application/pdf', 'text/plain']
      expect(take(api)).to.deep.equal({ files, hasFileResults: true })
    }
    expect(take('google.vertex.chat').files).to.have.length(5)
  })

  it('is known by the package where its user names the model API', () => {
    const files = ['image/png', 'application/pdf', 'audio/wav', 'text/plain']
    const taken = take('anything.chat', '@ai-sdk/openai-compatible')
    expect(taken).to.deep.equal({ files, hasFileResults: false })
  })

  it('is everything for others, but only texts in results', () => {
    const { files, hasFileResults } = take('openrouter.chat')
    expect(files).to.have.length(5)
    expect(hasFileResults).to.equal(false)
  })
})
