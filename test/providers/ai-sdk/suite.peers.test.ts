import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import aiSdk, { createAiSdk } from '../../../providers/ai-sdk/index.ts'
import { type SuiteOptions, suiteOf } from '../../../src/testing/index.ts'
import { hasPeers } from '../peers.ts'
import { FINISH, SAID } from './models.ts'

const INSTALLED = fileURLToPath(new URL('../../peers/node_modules/', import.meta.url))

type Mock = new (answers: object) => object

const MOCKS = [
  ['ai-5', 'MockLanguageModelV2', FINISH.v2],
  ['ai-6', 'MockLanguageModelV3', FINISH.v4],
  ['ai-7', 'MockLanguageModelV4', FINISH.v4],
] as const

/** The mock of a version of the AI SDK, from the module that its package exports for tests. */
async function mockOf(name: string, mock: string): Promise<Mock> {
  const entries = ['index.mjs', 'index.js'].map((entry) => `${INSTALLED}${name}/dist/test/${entry}`)
  const url = pathToFileURL(String(entries.find((path) => existsSync(path))))
  const exported = (await import(url.href)) as { [name: string]: Mock }
  return exported[mock] as Mock
}

const CHUNK = { id: 'c', object: 'chat.completion.chunk', model: 'm', created: 1 }
const USED = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
const MESSAGE = { role: 'assistant', content: 'Hi!' }
const WHOLE = {
  ...CHUNK,
  object: 'chat.completion',
  choices: [{ index: 0, message: MESSAGE, finish_reason: 'stop' }],
  usage: USED,
}
const STREAMED = [
  { ...CHUNK, choices: [{ index: 0, delta: { ...MESSAGE, content: 'H' }, finish_reason: null }] },
  { ...CHUNK, choices: [{ index: 0, delta: { content: 'i!' }, finish_reason: null }] },
  { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USED },
]

/** A published package that asks a model API on loopback. */
const PUBLISHED: SuiteOptions = {
  config: { model: 'm' },
  api: {
    whole: WHOLE,
    streamed: `${STREAMED.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
    config: (url) => ({
      settings: {
        'ai-sdk': {
          npm_package: `${INSTALLED}@ai-sdk/openai-compatible`,
          options: { name: 'server', includeUsage: true },
          base_url: `${url}/v1`,
          api_key: 'sk-test-0123456789',
          models: ['m'],
        },
      },
    }),
  },
}

async function faultsOf(plugin: unknown, options: SuiteOptions): Promise<readonly string[]> {
  const suite = suiteOf('provider', plugin, options)
  const faults: string[] = []
  for (const { name, run } of suite.checks)
    await run().catch((error: Error) => faults.push(`${name}: ${error.message}`))
  await suite.close()
  return faults
}

describe('the provider ai-sdk passes the suite of providers', function () {
  this.timeout(120_000)
  before(function () {
    if (!hasPeers) this.skip()
  })

  for (const [name, mock, finish] of MOCKS) {
    it(`with the ${mock} of ${name}`, async () => {
      const Model = await mockOf(name, mock)
      const languageModel = (modelId: string) =>
        new Model({
          modelId,
          doGenerate: async () => ({
            ...finish,
            content: [{ type: 'text', text: 'Hi' }],
            warnings: [],
          }),
          doStream: async () => ({ stream: ReadableStream.from([...SAID, finish]) }),
        })
      const plugin = createAiSdk({ provider: { languageModel } })
      expect(await faultsOf(plugin, { config: { model: 'm' } })).to.deep.equal([])
    })
  }

  it('with the package @ai-sdk/openai-compatible', async () => {
    expect(await faultsOf(aiSdk, PUBLISHED)).to.deep.equal([])
  })
})
