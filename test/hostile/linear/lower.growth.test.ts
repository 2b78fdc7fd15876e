import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import { BROKEN_HISTORIES, HISTORIES, toolsOf } from './histories.ts'
import { itIsLinear } from './subjects.ts'

const KEY = { api_key: 'a key that is asked for nowhere' }

interface Lowering {
  readonly plugin: unknown
  readonly config: ConfigLayer
  /** Whether open calls and stray results are its own affair. */
  readonly repairs: boolean
}

const PROVIDERS: { readonly [name: string]: Lowering } = {
  'openai, responses': {
    plugin: openai,
    config: { provider: 'openai', model: 'gpt-5.2', settings: { openai: KEY } },
    repairs: true,
  },
  'openai, chat': {
    plugin: openai,
    config: { provider: 'openai', model: 'gpt-5.2', settings: { openai: { ...KEY, api: 'chat' } } },
    repairs: true,
  },
  'openai-compatible': {
    plugin: openaiCompatible,
    config: {
      provider: 'openai-compatible',
      model: 'any',
      settings: { 'openai-compatible': { ...KEY, base_url: 'http://127.0.0.1:9/v1' } },
    },
    repairs: true,
  },
  anthropic: {
    plugin: anthropic,
    config: { provider: 'anthropic', model: 'claude-sonnet-4-5', settings: { anthropic: KEY } },
    repairs: true,
  },
  scripted: { plugin: scripted, config: { provider: 'scripted' }, repairs: false },
}

/** The kinds of histories that are tried each time. */
const SAMPLE = new Set(['turns of the user', 'steps of calls with results', 'calls with one id'])

describe('a request to a model takes time that grows as its history does', () => {
  for (const [name, { plugin, config, repairs }] of Object.entries(PROVIDERS)) {
    describe(name, () => {
      let host: Host
      before(async () => {
        host = await createHost({ plugins: [plugin], config })
      })
      after(() => host.close())

      const histories = { ...HISTORIES, ...(repairs ? BROKEN_HISTORIES : {}) }
      for (const [what, historyOf] of Object.entries(histories)) {
        const subject = {
          name: what,
          make: (size: number) => {
            const messages = historyOf(size)
            return () => host.dryRun({}, messages)
          },
        }
        itIsLinear(
          subject,
          SAMPLE.has(what) && (!repairs || what !== 'steps of calls with results'),
        )
      }
      const tools = {
        name: 'tools',
        make: (size: number) => {
          const offered = toolsOf(size)
          return () => host.dryRun({}, 'Hello', { tools: offered })
        },
      }
      itIsLinear(tools, false)
    })
  }
})
