import { expect } from 'chai'
import type { Host } from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { anthropicHost, configFor, NOWHERE } from './asking.ts'

/** For each setting of this provider alone: values that it takes, and others, each with the pointer of its error. */
const SETTINGS: {
  readonly [name: string]: { good: readonly unknown[]; bad: [unknown, string][] }
} = {
  thinking: {
    good: [{ type: 'adaptive' }, { type: 'enabled', budget_tokens: 1024, display: 'omitted' }],
    bad: [
      [true, ''],
      ['adaptive', ''],
      [{}, '/type'],
      [{ type: 'deep' }, '/type'],
      [{ type: 'enabled', budget_tokens: 1023 }, '/budget_tokens'],
      [{ type: 'enabled', budget_tokens: 1024.5 }, '/budget_tokens'],
    ],
  },
  hosted_tools: {
    good: [['web_search', { type: 'code_execution_20250825', name: 'code_execution' }]],
    bad: [
      ['web_search', ''],
      [{ web_search: {} }, ''],
      [[''], '/0'],
      [[{ name: 'web_search' }], '/0/type'],
    ],
  },
  mcp_servers: {
    good: [[{ name: 'tea', url: 'https://tea.test/mcp', authorization_token: 'secret' }]],
    bad: [
      ['https://tea.test/mcp', ''],
      [{ tea: 'https://tea.test/mcp' }, ''],
      [['https://tea.test/mcp'], '/0'],
      [[{ name: 'tea' }], '/0/url'],
      [[{ url: 'https://tea.test/mcp' }], '/0/name'],
      [[{ name: 7, url: 'https://tea.test/mcp' }], '/0/name'],
      [[{ name: 'tea', url: 7 }], '/0/url'],
      [
        [{ name: 'tea', url: 'https://tea.test/mcp', authorization_token: 7 }],
        '/0/authorization_token',
      ],
    ],
  },
  prompt_cache: { good: [true, '5m', '1h'], bad: [['2h', '']] },
  citations: { good: [true], bad: [['all', '']] },
  context_management: { good: [{ edits: [] }], bad: [['clear', '']] },
  container: { good: ['container_1', { id: 'container_1' }], bad: [[7, '']] },
  strict_tools: { good: [true], bad: [['yes', '']] },
  service_tier: { good: ['auto', 'standard_only'], bad: [['flex', '']] },
  betas: {
    good: [['context-1m-2025-08-07']],
    bad: [
      ['context-1m-2025-08-07', ''],
      [[7], '/0'],
    ],
  },
  top_k: {
    good: [1],
    bad: [
      [0, ''],
      [1.5, ''],
    ],
  },
}

describe('settings of the provider "anthropic"', () => {
  let host: Host
  before(async () => {
    host = await anthropicHost()
  })
  after(() => host.close())

  const judged = (name: string, value: unknown) =>
    errorOf(host.dryRun(configFor(NOWHERE, { [name]: value }), 'Hi'))

  for (const [name, { good, bad }] of Object.entries(SETTINGS)) {
    it(`are refused where one has another form: ${name}`, async () => {
      for (const value of good) {
        const { diagnostics } = await host.resolve(configFor(NOWHERE, { [name]: value }))
        expect(diagnostics, JSON.stringify(value)).to.deep.equal([])
      }
      for (const [value, place] of bad) {
        const pointer = `/settings/anthropic/${name}${place}`
        const error = await judged(name, value)
        expect(error, JSON.stringify(value)).to.include({ code: 'SETTINGS_INVALID', pointer })
      }
    })
  }
})
