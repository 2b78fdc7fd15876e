import { expect } from 'chai'
import { betaHeaders } from '../../../providers/anthropic/messages/betas.ts'
import type { Message, Part } from '../../../src/core/index.ts'
import type { Settings } from '../openai/asking.ts'
import { asked, hello } from './asking.ts'

const MCP = { name: 'one', url: 'https://one.test' }
const compaction = { edits: [{ type: 'compact_20260112' }] }

/** Settings, and the betas that they need. */
const BETAS: readonly [title: string, settings: Settings, betas: string | null][] = [
  ['nothing special', {}, null],
  [
    'tools that are no beta any more',
    { hosted_tools: ['web_search', 'web_fetch', 'code_execution', 'tool_search', 'memory'] },
    null,
  ],
  ['an uploaded file and skills', { container: { skills: [{ skill_id: 'pptx' }] } }, null],
  ['MCP servers', { mcp_servers: [MCP] }, 'mcp-client-2025-11-20'],
  ['an advisor', { hosted_tools: ['advisor_20260301'] }, 'advisor-tool-2026-03-01'],
  ['a computer', { hosted_tools: ['computer_20251124'] }, 'computer-use-2025-11-24'],
  ['context management', { context_management: {} }, 'context-management-2025-06-27'],
  [
    'compaction',
    { context_management: compaction },
    'context-management-2025-06-27,compact-2026-01-12',
  ],
  ['a summary', { body: { compaction: { type: 'summarize' } } }, 'compact-2026-09-04'],
  ['speed', { body: { speed: 'fast' } }, 'fast-mode-2026-02-01'],
  [
    'a budget for a task',
    { body: { output_config: { task_budget: { type: 'tokens', total: 20_000 } } } },
    'task-budgets-2026-03-13',
  ],
  ['other models', { body: { fallbacks: 'default' } }, 'server-side-fallback-2026-07-01'],
  [
    'a list of other models',
    { body: { fallbacks: [{ model: 'claude-opus-5' }] } },
    'server-side-fallback-2026-06-01',
  ],
  [
    'updates on what is thought',
    { thinking: { type: 'adaptive', display: 'updates', block_binding: {} } },
    'thinking-display-updates-2026-08-18,thinking-binding-controls-2026-08-01',
  ],
  [
    'what the settings name',
    { betas: ['one', 'two'], mcp_servers: [MCP] },
    'one,two,mcp-client-2025-11-20',
  ],
]

/** Blocks of earlier answers that the API knows by a beta alone. */
const OF_BLOCKS: readonly [block: { readonly [key: string]: unknown }, beta: string][] = [
  [{ type: 'compaction', content: 'So far' }, 'compact-2026-01-12'],
  [{ type: 'fallback', from: {}, to: {} }, 'server-side-fallback-2026-07-01'],
  [{ type: 'mcp_tool_listing', tools: [] }, 'mcp-client-2026-09-15'],
]

/** The same for blocks that come in pairs. */
const OF_RESULTS: { readonly [type: string]: string } = {
  mcp_tool_use: 'mcp-client-2025-11-20',
  mcp_tool_result: 'mcp-client-2025-11-20',
  advisor_tool_result: 'advisor-tool-2026-03-01',
}

describe('the betas of Anthropic requests', () => {
  for (const [title, settings, betas] of BETAS) {
    it(`are those of ${title}`, async () => {
      const { headers } = await asked('Hello', { settings })
      expect(headers.get('anthropic-beta')).to.equal(betas)
    })
  }

  for (const [block, beta] of OF_BLOCKS) {
    it(`are those of an earlier ${String(block['type'])}`, async () => {
      const part: Part = {
        type: 'data',
        name: 'anthropic-block',
        data: block,
        providerMetadata: { anthropic: { block } },
      }
      const messages: Message[] = [hello, { role: 'assistant', parts: [part] }, hello]
      const { body, headers } = await asked(messages)
      expect(JSON.stringify(body['messages'])).to.include(JSON.stringify(block))
      expect(headers.get('anthropic-beta')).to.equal(beta)
    })
  }

  for (const [type, beta] of Object.entries(OF_RESULTS)) {
    it(`are those of an earlier ${type}`, () => {
      const body = { messages: [{ role: 'assistant', content: [{ type }] }] }
      expect(betaHeaders(body, {})).to.deep.equal({ 'anthropic-beta': beta })
    })
  }
})
