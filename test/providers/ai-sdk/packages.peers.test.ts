import { fileURLToPath } from 'node:url'
import aiSdk from '../../../providers/ai-sdk/index.ts'
import type { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { type ConfigLayer, createHost } from '../../../src/core/index.ts'
import { recordings as anthropicRecordings } from '../anthropic/asking.ts'
import { ownRecordings, sharedRecordings } from '../openai/recordings.ts'
import { recordings as compatibleRecordings } from '../openai-compatible/recordings.ts'
import { type Difference, itAnswersAlike } from '../peers.ts'

const INSTALLED = fileURLToPath(new URL('../../peers/node_modules/', import.meta.url))
const DIFFERENCES: readonly Difference[] = [
  {
    on: /openai-mcp-tool-approval\.[13]/,
    in: ['calls'],
    because: 'the package makes up an id for such a call, another one each time',
  },
  {
    on: /openai-web-search-tool/,
    in: ['sources'],
    because: 'addresses that only the text cites are sources of ours too',
  },
  {
    on: /openai-compatible\/chat\/xai-/,
    in: ['reasoned'],
    because: 'it tells more tokens of reasoning than of the whole output, which we leave out',
  },
]

const hostOf = () => createHost({ plugins: [aiSdk] })

function configFor(server: ReplayServer, name: string, settings: object = {}): ConfigLayer {
  const own = { npm_package: INSTALLED + name, base_url: server.url, api_key: 'test-key' }
  return {
    provider: 'ai-sdk',
    model: 'recorded',
    settings: { 'ai-sdk': { ...own, models: ['recorded'], ...settings } },
  }
}

/** Of each preset, the published package, and how `ai-sdk-compatible.mjs` uses it. */
const PACKAGES: { readonly [preset: string]: { name: string; settings: object } } = {
  deepseek: { name: '@ai-sdk/deepseek', settings: { api: 'chat' } },
  groq: { name: '@ai-sdk/groq', settings: {} },
  xai: { name: '@ai-sdk/xai', settings: { api: 'chat' } },
}
const OTHERS = {
  name: '@ai-sdk/openai-compatible',
  settings: { options: { name: 'server', includeUsage: true } },
}

describe('packages of the AI SDK in the provider ai-sdk give what they give alone', () => {
  describe('@ai-sdk/openai', () => {
    itAnswersAlike({
      recordings: [...ownRecordings(), ...sharedRecordings()],
      differences: DIFFERENCES,
      failsAlike: true,
      runner: 'ai-sdk-openai.mjs',
      host: hostOf,
      configFor: (server, { api }) => configFor(server, '@ai-sdk/openai', { api }),
      jobFor: ({ api }) => ({ api, model: 'recorded' }),
    })
  })

  describe('@ai-sdk/anthropic', () => {
    itAnswersAlike({
      recordings: anthropicRecordings(),
      differences: DIFFERENCES,
      failsAlike: true,
      runner: 'ai-sdk-anthropic.mjs',
      host: hostOf,
      configFor: (server) => configFor(server, '@ai-sdk/anthropic'),
      jobFor: () => ({ model: 'recorded' }),
    })
  })

  describe('@ai-sdk/deepseek, @ai-sdk/groq, @ai-sdk/xai and @ai-sdk/openai-compatible', () => {
    itAnswersAlike({
      recordings: compatibleRecordings(),
      differences: DIFFERENCES,
      failsAlike: true,
      runner: 'ai-sdk-compatible.mjs',
      host: hostOf,
      configFor: (server, { preset = '' }) => {
        const { name, settings } = PACKAGES[preset] ?? OTHERS
        return configFor(server, name, settings)
      },
      jobFor: ({ preset }) => ({ preset, model: 'recorded' }),
    })
  })
})
