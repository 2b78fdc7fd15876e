import { expect } from 'chai'
import type { ConfigLayer, Message } from '../../../src/core/index.ts'
import { asked, assistant, hello, text, tool } from './asking.ts'

type Effort = ConfigLayer['reasoning_effort'] | 'xhigh'

interface Case {
  readonly model: string
  readonly effort: Effort
  readonly thinking?: object
  readonly output?: object
  readonly limit?: number
  readonly warning?: RegExp
}

const enabled = (budget_tokens: number) => ({ type: 'enabled', budget_tokens })
const adaptive = { type: 'adaptive', display: 'summarized' }
const disabled = { type: 'disabled' }

/** What an effort comes to, for a model of each family; the answer may have 1000 tokens. */
const CASES: readonly Case[] = [
  { model: 'claude-3-haiku-20240307', effort: 'high', warning: /cannot think/ },
  { model: 'claude-sonnet-4-5', effort: 'low', thinking: enabled(4096), limit: 5096 },
  { model: 'claude-sonnet-4-5', effort: 'minimal', thinking: enabled(1024), limit: 2024 },
  { model: 'claude-sonnet-4-5', effort: 'max', thinking: enabled(32_768), limit: 33_768 },
  { model: 'claude-sonnet-4-5', effort: 2000, thinking: enabled(2000), limit: 3000 },
  { model: 'claude-sonnet-4-5', effort: 'none', thinking: disabled },
  {
    model: 'claude-sonnet-4-5',
    effort: 10,
    thinking: enabled(1024),
    limit: 2024,
    warning: /1024 are set/,
  },
  {
    model: 'claude-sonnet-4-5',
    effort: 100_000,
    thinking: enabled(59_904),
    limit: 60_904,
    warning: /59904 are set/,
  },
  // The budget must leave something of the largest output.
  { model: 'claude-opus-4-20250514', effort: 'max', thinking: enabled(27_904), limit: 28_904 },
  {
    model: 'claude-opus-4-5',
    effort: 'medium',
    thinking: enabled(10_240),
    output: { effort: 'medium' },
    limit: 11_240,
  },
  {
    model: 'claude-opus-4-5',
    effort: 'max',
    thinking: enabled(32_768),
    output: { effort: 'high' },
    limit: 33_768,
  },
  { model: 'claude-opus-4-6', effort: 'max', thinking: adaptive, output: { effort: 'max' } },
  {
    model: 'claude-opus-4-6',
    effort: 'xhigh',
    thinking: adaptive,
    output: { effort: 'high' },
    warning: /no effort "xhigh"/,
  },
  { model: 'claude-opus-4-6', effort: 5000, thinking: enabled(5000), limit: 6000 },
  { model: 'claude-opus-4-7', effort: 'xhigh', thinking: adaptive, output: { effort: 'xhigh' } },
  {
    model: 'claude-opus-4-7',
    effort: 'minimal',
    thinking: adaptive,
    output: { effort: 'low' },
    warning: /no effort "minimal"/,
  },
  {
    model: 'claude-opus-4-7',
    effort: 5000,
    thinking: adaptive,
    warning: /an effort instead of a thinking budget/,
  },
  { model: 'claude-opus-5', effort: 'none', thinking: disabled },
  { model: 'claude-haiku-5-5', effort: 'none', thinking: disabled },
  {
    model: 'claude-sonnet-5-5',
    effort: 'none',
    thinking: { type: 'between_tools' },
    warning: /only between tool calls/,
  },
  {
    model: 'claude-opus-5-5',
    effort: 'none',
    output: { effort: 'low' },
    warning: /always thinks/,
  },
  { model: 'claude-mythos-5', effort: 'none', output: { effort: 'low' }, warning: /always thinks/ },
  // A model that nobody knows is asked as the newest.
  { model: 'claude-opus-9', effort: 'max', thinking: adaptive, output: { effort: 'max' } },
]

/** Settings of the API's own, beside what the neutral keys ask. */
const OWN: readonly (Case & { readonly own: object })[] = [
  {
    model: 'claude-sonnet-4-5',
    own: enabled(3000),
    effort: undefined,
    thinking: enabled(3000),
    limit: 4000,
  },
  {
    model: 'claude-opus-4-8',
    own: { type: 'adaptive', display: 'omitted' },
    effort: 'max',
    thinking: { type: 'adaptive', display: 'omitted' },
    output: { effort: 'max' },
  },
  {
    model: 'claude-opus-4-8',
    own: disabled,
    effort: 'max',
    thinking: disabled,
    output: { effort: 'max' },
  },
  {
    model: 'claude-opus-5',
    own: disabled,
    effort: 'max',
    thinking: disabled,
    output: { effort: 'high' },
    warning: /no effort above "high" without thinking/,
  },
  {
    model: 'claude-sonnet-5-5',
    own: { type: 'between_tools' },
    effort: 'xhigh',
    thinking: { type: 'between_tools' },
    output: { effort: 'high' },
    warning: /no effort above "high"/,
  },
]

const weather = { name: 'weather', description: '', input_schema: { type: 'object' } }

/** What a model does when it is told to think and to call a tool. */
const FORCED: readonly [model: string, thinking: object, choice: object, warning?: RegExp][] = [
  [
    'claude-sonnet-4-5',
    disabled,
    { type: 'any' },
    /does not think in this request: a tool is forced/,
  ],
  ['claude-opus-4-7', disabled, { type: 'any' }, /does not think in this request/],
  ['claude-opus-4-8', adaptive, { type: 'any' }],
  ['claude-sonnet-5', adaptive, { type: 'any' }],
  ['claude-fable-5', adaptive, { type: 'any' }],
  ['claude-fable-5-1', adaptive, { type: 'auto' }, /cannot be forced to call a tool/],
  ['claude-sonnet-5-5', adaptive, { type: 'auto' }, /cannot be forced to call a tool/],
]

describe('thinking of the Anthropic models', () => {
  const expectAsked = async (
    { model, effort, thinking, output, limit = 1000, warning }: Case,
    settings = {},
  ) => {
    const more = { model, max_output_tokens: 1000, reasoning_effort: effort } as ConfigLayer
    const { body, warnings } = await asked('Hello', { settings, more })
    expect(body['thinking']).to.deep.equal(thinking)
    expect(body['output_config']).to.deep.equal(output)
    expect(body['max_tokens']).to.equal(limit)
    expect(warnings).to.have.length(warning ? 1 : 0)
    if (warning) expect(warnings[0]).to.match(warning)
  }

  for (const one of CASES) {
    it(`is what ${one.model} takes for the effort "${one.effort}"`, () => expectAsked(one))
  }

  for (const { own, ...one } of OWN) {
    const title = `${JSON.stringify(own)} of the settings, for ${one.model}`
    it(`is ${title} with the effort "${one.effort}"`, () => expectAsked(one, { thinking: own }))
  }

  for (const [model, thinking, choice, warning] of FORCED) {
    it(`goes with a forced tool as ${model} takes it`, async () => {
      const more = { model, reasoning_effort: 'low', tool_choice: 'required' } as const
      const { body, warnings } = await asked('Hello', { more, tools: [weather] })
      const kind = (body['thinking'] as { type: string }).type
      expect(kind).to.equal((thinking as typeof disabled).type)
      expect(body['tool_choice']).to.deep.equal(choice)
      expect(warnings.join()).to.match(warning ?? /^$/)
    })
  }

  it('leaves a model that cannot be forced only the named tool to choose', async () => {
    const tools = [weather, { ...weather, name: 'clock' }]
    const named = async (model: string) => {
      const more = { model, tool_choice: { tool: 'clock' } } as const
      const { body } = await asked('Hello', { more, tools })
      return (body['tools'] as readonly { readonly name: string }[]).map(({ name }) => name)
    }
    expect(await named('claude-sonnet-5-5')).to.deep.equal(['clock'])
    expect(await named('claude-opus-4-8')).to.deep.equal(['weather', 'clock'])
  })

  const WITHIN: readonly [limit: number, effort: Effort, budget: number, warning?: RegExp][] = [
    [8000, 4000, 4000],
    [8000, 7999, 7999],
    [8000, 8000, 4000, /8000 tokens within 8000: a budget of 4000/],
    [9000, 'low', 4096],
    [5000, 'low', 2500],
    [2048, 'max', 1024],
  ]
  for (const [limit, effort, budget, warning] of WITHIN) {
    it(`stays within ${limit} tokens with the effort "${effort}"`, async () => {
      const more = { model: 'claude-haiku-4-5', max_output_tokens: limit, reasoning_effort: effort }
      const { body, warnings } = await asked('Hello', { more: more as ConfigLayer })
      expect(body).to.deep.include({ max_tokens: limit, thinking: enabled(budget) })
      expect(warnings.join()).to.match(warning ?? /^$/)
    })
  }

  it('stays within the limit by the setting of the operator too', async () => {
    const more = { model: 'claude-haiku-4-5', max_output_tokens: 8000 }
    const { body } = await asked('Hello', { more, settings: { thinking: enabled(3000) } })
    expect(body).to.deep.include({ max_tokens: 8000, thinking: enabled(3000) })
  })

  it('waits where calls are answered that were made without it', async () => {
    const call = { callId: 'c1', name: 'weather' }
    const thought = {
      type: 'reasoning',
      text: 'Hm.',
      providerMetadata: { anthropic: { block: { type: 'thinking', signature: 's' } } },
    } as const
    const answered = (...first: Message['parts']): readonly Message[] => [
      hello,
      assistant(...first, { type: 'tool-call', ...call, input: {} }),
      tool({ type: 'tool-result', ...call, output: 'ok' }),
    ]
    const thinkingFor = async (messages: readonly Message[], model = 'claude-sonnet-4-5') => {
      const { body } = await asked(messages, { more: { model, reasoning_effort: 'low' } })
      return (body['thinking'] as { type: string }).type
    }
    expect(await thinkingFor(answered())).to.equal('disabled')
    expect(await thinkingFor(answered(text('Let me look.')))).to.equal('disabled')
    expect(await thinkingFor(answered(thought))).to.equal('enabled')
    expect(await thinkingFor([...answered(), hello])).to.equal('disabled')
    expect(await thinkingFor(answered(), 'claude-opus-5')).to.equal('adaptive')
  })
})
