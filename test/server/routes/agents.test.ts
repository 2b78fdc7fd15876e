import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { createRuntime } from '../../../src/agent/index.ts'
import type { HostOptions } from '../../../src/core/index.ts'
import { provider, tool } from '../../helpers/plugins.ts'
import { Served } from './served.ts'

function broken(): never {
  throw new Error('boom')
}

/** Hosts with which an agent cannot run. */
const HOSTS: readonly (readonly [what: string, own: Partial<HostOptions>, fault: object])[] = [
  [
    'the config names a provider that is not there',
    { config: { provider: 'nobody' } },
    {
      code: 'PROVIDER_UNKNOWN',
      pointer: '/provider',
      message:
        'Provider "nobody" is not registered; registered are "scripted". Add it to "plugins", or name another.',
    },
  ],
  [
    'there is no provider',
    { plugins: [tool('t')], config: {} },
    { code: 'PROVIDER_MISSING', pointer: '/provider' },
  ],
  [
    'the provider fails',
    { plugins: [provider('p', { getTags: broken })], config: {} },
    { code: 'RESOLUTION_FAILED' },
  ],
  [
    'a tool fails',
    { plugins: [scripted, tool('t', { getToolSchemas: broken })] },
    { code: 'HOOK_FAILED', message: 'Hook "getToolSchemas" of tool "t" failed: boom' },
  ],
  [
    'a tool has no list of schemas',
    { plugins: [scripted, tool('t', { getToolSchemas: () => 5 })] },
    { code: 'HOOK_ANSWER_INVALID' },
  ],
]

describe('an admin who stores an agent', () => {
  for (const [what, own, fault] of HOSTS) {
    it(`is told why it cannot run where ${what}`, async () => {
      const config = { provider: 'scripted' }
      const served = await Served.start(
        { models: {} },
        { plugins: [scripted], config, ...own },
        async (host) => ({ runtime: await createRuntime({ host, agents: [] }) }),
      )
      const { status, json } = await served.ask('/api/agents/a', { method: 'PUT', body: {} })
      const { json: agents } = await served.ask('/api/agents')
      await served.close()
      expect(status, JSON.stringify(json)).to.equal(422)
      expect(json['error']).to.include(fault)
      expect(agents).to.deep.equal({ agents: [] })
    })
  }
})
