import '../english.ts'
import { expect } from 'chai'
import { type Reasoned, toolReason } from '../../../src/page/site/reasons/index.ts'
import { RULES } from '../../../src/page/site/why/documents.ts'
import { DE_REASONS } from '../../../src/page/site/words/de-reasons.ts'
import { EN_REASONS } from '../../../src/page/site/words/en-reasons.ts'
import type { ToolErrorClass } from '../../../src/plugin/events/index.ts'
import { CONFIGS, shippedHost } from '../why/explained.ts'

const ERROR_CLASSES: { readonly [name in ToolErrorClass]: true } = {
  approval_rejected: true,
  canceled: true,
  dependency_unavailable: true,
  execution_failed: true,
  hook_blocked: true,
  invalid_arguments: true,
  outcome_unknown: true,
  permission_denied: true,
  policy_blocked: true,
  rate_limited: true,
  result_too_large: true,
  sibling_canceled: true,
  timeout: true,
  unknown_tool: true,
}

/** The places of values in words, in braces. */
const placesIn = (words: string) => [...words.matchAll(/\{\w+\}/g)].map(String)

describe('the reason why a tool is not offered', () => {
  const excluded: Reasoned = {
    reason: 'the catalog of the agent excludes it: *_file',
    why: { code: 'TOOL_EXCLUDED', entry: '*_file' },
  }

  it('is in the words of the page for its code', () => {
    expect(toolReason(excluded)).to.equal('The agent excludes it: “*_file”.')
    for (const rule of RULES) {
      const why = { code: 'PLUGIN_OFF', rule, tags: ['a', 'b'] }
      const text = toolReason({ reason: rule, why })
      expect(text, rule).to.match(/^[A-Z][^{}]+\.$/)
      if (rule.endsWith(' tags')) expect(text).to.include(': “a”, “b”.')
    }
  })

  it('is what the server says where the page does not know the code, or a value is missing', () => {
    const reason = 'The server says so.'
    expect(toolReason({ reason })).to.equal(reason)
    for (const why of [
      { code: 'UNHEARD_OF' },
      { code: 7 },
      { code: 'TOOL_EXCLUDED' },
      { code: 'TOOL_EXCLUDED', entry: 3 },
      { code: 'PLUGIN_OFF' },
      { code: 'PLUGIN_OFF', rule: 'unheard-of', tags: [] },
      { code: 'PLUGIN_OFF', rule: 'missing tags', tags: [1] },
      { code: 'PLUGIN_OFF', rule: 'constructor', tags: [] },
    ]) {
      expect(toolReason({ reason, why }), JSON.stringify(why)).to.equal(reason)
    }
  })

  it('keeps braces in values as they are', () => {
    const why = { code: 'TOOL_EXCLUDED', entry: '{entry}{name}' }
    expect(toolReason({ ...excluded, why })).to.equal('The agent excludes it: “{entry}{name}”.')
  })

  it('has words for all that a host says of the shipped tools', async () => {
    for (const config of CONFIGS) {
      const host = await shippedHost([], config)
      for (const tool of await host.toolSchemas({}, { inventory: true })) {
        if (tool.reason === undefined) continue
        expect(toolReason(tool), tool.tool_name).to.match(/^[A-Z][^{}]+\.$/)
        expect(toolReason({ ...tool, reason: 'none' }), tool.tool_name).not.to.equal('none')
      }
      await host.close()
    }
  })

  it('has the same values in both languages', () => {
    for (const [name, words] of Object.entries(EN_REASONS)) {
      const german = DE_REASONS[name as keyof typeof EN_REASONS]
      expect(placesIn(german), name).to.deep.equal(placesIn(words))
      expect(german, name).not.to.equal(words)
    }
  })
})

describe('the error of a call', () => {
  it('has words for each class', () => {
    const names = Object.keys(EN_REASONS).filter((name) => name.startsWith('toolError_'))
    const classes = Object.keys(ERROR_CLASSES).map((name) => `toolError_${name}`)
    expect(names).to.have.members(classes)
  })
})
