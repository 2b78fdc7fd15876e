import { expect } from 'chai'
import type { CallOptions } from '../../src/ai-sdk/call-types.ts'
import type { ConfigLayer } from '../../src/core/index.ts'
import { tool } from '../helpers/plugins.ts'
import { askedOf, listening, PROMPT, text } from './asking.ts'

const SCHEMA = { type: 'object', properties: { q: { type: 'string' } } } as const
const DRAFT_7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...SCHEMA }
const SEARCH = {
  type: 'function',
  name: 'search',
  description: 'Finds',
  inputSchema: DRAFT_7,
} as const

describe('the options of a call of the AI SDK', () => {
  const CASES: readonly (readonly [options: Partial<CallOptions>, config: ConfigLayer])[] = [
    [{ maxOutputTokens: 5 }, { max_output_tokens: 5 }],
    [{ temperature: 0 }, { temperature: 0 }],
    [{ topP: 0.5 }, { top_p: 0.5 }],
    [{ presencePenalty: 1 }, { presence_penalty: 1 }],
    [{ frequencyPenalty: -1 }, { frequency_penalty: -1 }],
    [{ seed: 7 }, { seed: 7 }],
    [{ stopSequences: ['END'] }, { stop: ['END'] }],
    [{ stopSequences: [] }, { stop: ['.'] }],
    [{ reasoning: 'high' }, { reasoning_effort: 'high' }],
    [{ reasoning: 'provider-default' }, { reasoning_effort: 'low' }],
    [{ responseFormat: { type: 'json' } }, { response_format: { type: 'json' } }],
    [{ responseFormat: { type: 'text' } }, { response_format: { type: 'json' } }],
    [
      { responseFormat: { type: 'json', schema: DRAFT_7, name: 'found', description: 'What' } },
      {
        response_format: {
          type: 'json-schema',
          schema: SCHEMA,
          name: 'found',
          description: 'What',
        },
      },
    ],
    [{ providerOptions: { braidwork: { seed: 3 } } }, { seed: 3 }],
    [{ seed: 4, providerOptions: { braidwork: { seed: 3 } } }, { seed: 4 }],
  ]

  for (const [options, expected] of CASES) {
    it(`lie over the config: ${JSON.stringify(options)}`, async () => {
      const config: ConfigLayer = {
        temperature: 1,
        seed: 1,
        stop: ['.'],
        reasoning_effort: 'low',
        response_format: { type: 'json' },
      }
      const asked = await askedOf(options, { config })
      for (const [key, value] of Object.entries(expected)) {
        expect(asked.config).to.have.deep.property(key, value)
      }
      expect(asked.warnings).to.deep.equal([])
    })
  }

  it('set top_k where the provider has such a setting', async () => {
    const configSchema = { type: 'object', properties: { top_k: { type: 'integer' } } }
    const { config, warnings } = await askedOf({ topK: 3 }, { provider: { configSchema } })
    expect(config.settings).to.deep.equal({ p: { top_k: 3 } })
    expect(warnings).to.deep.equal([])
  })

  const UNSUPPORTED: readonly (readonly [options: Partial<CallOptions>, warning: object])[] = [
    [{ topK: 3 }, { feature: 'topK' }],
    [
      { headers: { 'x-team': 'a' } },
      { feature: 'headers', details: 'Set headers in the settings of the provider.' },
    ],
    [
      { tools: [{ type: 'provider', id: 'openai.web_search', name: 'web_search' }] },
      { feature: 'provider-defined tool openai.web_search' },
    ],
    [
      { tools: [{ ...SEARCH, inputExamples: [{ input: {} }] }] },
      { feature: 'inputExamples of search' },
    ],
  ]

  for (const [options, warning] of UNSUPPORTED) {
    it(`warn of what has no counterpart: ${JSON.stringify(options)}`, async () => {
      const { warnings } = await askedOf(options)
      expect(warnings).to.deep.equal([{ type: 'unsupported', ...warning }])
    })
  }

  it('pass on the warnings of plugins', async () => {
    const init = (_config: object, context: { warn: (text: string) => void }) => {
      context.warn('no seeds here')
      return {}
    }
    const toNative = (messages: object) => messages
    const provider = { init, toNative }
    const { host, model } = await listening(text('fine'), { provider })
    const { warnings } = await model.doGenerate({
      prompt: PROMPT,
      headers: { 'user-agent': 'ai/7' },
    })
    await host.close()
    expect(warnings).to.deep.equal([{ type: 'other', message: 'p: no seeds here' }])
  })

  it('offer the tools of the call, and no tool of a plugin', async () => {
    const plugins = [tool('files', { schemas: ['search', 'read'] })]
    const options = { tools: [SEARCH], toolChoice: { type: 'tool', toolName: 'search' } } as const
    const { config } = await askedOf(options, { plugins })
    expect(config.tools?.map(({ name }) => name)).to.deep.equal(['search'])
    expect(config.tools?.[0]).to.deep.include({ description: 'Finds', input_schema: SCHEMA })
    expect(config.tool_choice).to.deep.equal({ tool: 'search' })
  })

  it('leave the choice of tools to the config where they name none', async () => {
    const { config } = await askedOf({ tools: [SEARCH] }, { config: { tool_choice: 'required' } })
    expect(config.tool_choice).to.equal('required')
  })

  it('know tools by the names of the AI SDK, whatever the model calls them', async () => {
    const { messages, config } = await askedOf({
      tools: [{ ...SEARCH, name: 'search.web' }],
      toolChoice: { type: 'tool', toolName: 'search.web' },
      prompt: [
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'search.web', input: {} }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c',
              toolName: 'search.web',
              output: { type: 'text', value: 'x' },
            },
          ],
        },
      ],
    })
    const [name] = config.tools?.map((offered) => offered.name) ?? []
    expect(name).to.match(/^\w+$/)
    expect(config.tool_choice).to.deep.equal({ tool: name })
    expect(messages.slice(1).map(({ parts }) => parts[0])).to.have.deep.nested.property(
      '[1].name',
      name,
    )
  })
})
