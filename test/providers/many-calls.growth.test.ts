import { createAnthropic } from '../../providers/anthropic/index.ts'
import { createOpenAI } from '../../providers/openai/index.ts'
import { createOpenAICompatible } from '../../providers/openai-compatible/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { expectLinear, toldGrowth } from '../helpers/doubling.ts'
import { type Api, callsOf, wholeWithCalls } from './hostile-api.ts'

const WAYS = [
  { name: 'openai', api: 'responses', create: createOpenAI },
  { name: 'openai', api: 'chat', create: createOpenAI },
  { name: 'openai-compatible', api: 'chat', create: createOpenAICompatible },
  { name: 'anthropic', api: 'messages', create: createAnthropic },
] as const
const SIZES = [2500, 5000, 10_000]
/** Above all sizes. */
const LIMITS = { answer_calls: 1_000_000, answer_parts: 1_000_000 }

function typeOf(mode: 'send' | 'stream'): string {
  return mode === 'send' ? 'application/json' : 'text/event-stream'
}

function bodyOf(mode: 'send' | 'stream', api: Api, count: number): string {
  return mode === 'send' ? wholeWithCalls(api, count) : [...callsOf(api, count)].join('')
}

describe('an answer of many calls', function () {
  this.timeout(300_000)

  for (const { name, api, create } of WAYS) {
    for (const mode of ['send', 'stream'] as const) {
      it(`is read in time that grows as it does (${name}, ${api}, ${mode})`, async () => {
        let body = ''
        const fetch: typeof globalThis.fetch = async () =>
          new Response(body, { headers: { 'content-type': typeOf(mode) } })
        await using host: Host = await createHost({ plugins: [create({ fetch })] })
        const own = { api_key: 'sk-test-0123456789', base_url: 'https://nowhere.test' }
        const settings = { [name]: { ...own, ...(name === 'openai' ? { api } : {}) } }
        const config = { provider: name, model: 'm', limits: LIMITS, settings }
        const ask = async (text: string): Promise<void> => {
          body = text
          if (mode === 'send') await host.send(config, 'Hello')
          else if ((await host.stream(config, 'Hello').result).error) throw new Error('it failed')
        }
        const growth = await expectLinear({
          name: `${name} ${api} ${mode}`,
          sizes: SIZES,
          make: (count) => {
            const text = bodyOf(mode, api, count)
            return () => ask(text)
          },
        })
        process.stdout.write(`      ${toldGrowth(growth)}\n`)
      })
    }
  }
})
