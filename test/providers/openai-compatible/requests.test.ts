import { expect } from 'chai'
import { createOpenAICompatible } from '../../../providers/openai-compatible/index.ts'
import { PRESETS, type PresetName } from '../../../providers/openai-compatible/presets.ts'
import { type Config, type ConfigLayer, createHost, type Message } from '../../../src/core/index.ts'
import type { ToolSchema } from '../../../src/plugin/index.ts'
import { configWith, type Settings, sent } from './asking.ts'
import { wholeOf } from './fixtures.ts'

type Body = { readonly [field: string]: unknown }

const user = (...parts: Message['parts']): Message => ({ role: 'user', parts })
const hello = user({ type: 'text', text: 'Hello' })
const tool = (name: string): ToolSchema => ({
  name,
  description: name,
  input_schema: { type: 'object', properties: {} },
})
const TOOLS = [tool('weather'), tool('now')]
const NAMES = Object.keys(PRESETS) as readonly PresetName[]

interface Asked {
  readonly body: Body
  readonly warnings: readonly string[]
}

/** What a server is sent, and the warnings beside it. */
async function askedOf(
  settings: Settings,
  { tools = [], ...more }: ConfigLayer & { readonly tools?: readonly ToolSchema[] },
  messages: readonly Message[],
): Promise<Asked> {
  let body: Body = {}
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    body = JSON.parse(String(init?.body)) as Body
    const answer = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }
    return Response.json(answer)
  }
  const host = await createHost({ plugins: [createOpenAICompatible({ fetch })] })
  const config = configWith({ api_key: 'some-key', ...settings }, more)
  const { warnings } = await host.send(config, messages, { tools })
  return { body, warnings }
}

const asked = (
  preset: PresetName,
  more: Parameters<typeof askedOf>[1] = {},
  messages: readonly Message[] = [hello],
): Promise<Asked> => askedOf({ preset }, more, messages)

describe('requests with penalties, a bias, the end user and metadata', () => {
  it('have them, metadata only where the answer is stored', async () => {
    const given = { frequency_penalty: 1, logit_bias: { 3: 1 }, user: 'u1' }
    const more = { ...given, metadata: { team: 'blue' } }
    const { body, warnings } = await askedOf({ base_url: 'https://a.test/v1' }, more, [hello])
    expect(body).to.deep.include(given).and.not.to.have.property('metadata')
    expect(warnings.join()).to.include('"metadata" is left out')
    const settings = { base_url: 'https://a.test/v1', body: { store: true } }
    expect((await askedOf(settings, more, [hello])).body).to.deep.include(more)
    const zero = { presence_penalty: 0, frequency_penalty: 0, logit_bias: {} }
    const { body: plain } = await askedOf({ base_url: 'https://a.test/v1' }, zero, [hello])
    expect(plain).not.to.have.any.keys(...Object.keys(zero))
  })
})

const answerIn = ({ body }: Pick<Asked, 'body'>): Body =>
  (body['messages'] as readonly Body[])[1] as Body

const calledBy = (parts: Message['parts']): readonly Message[] => [
  hello,
  { role: 'assistant', parts },
  {
    role: 'tool',
    parts: parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [{ type: 'tool-result', callId: part.callId, name: part.name, output: 'done' }]
        : [],
    ),
  },
]

describe('arguments of earlier calls in requests to OpenAI-compatible servers', () => {
  const argumentsIn = (asked: Asked): unknown => {
    const [call] = answerIn(asked)['tool_calls'] as readonly { function: Body }[]
    return call?.function['arguments']
  }

  for (const input of ['{"city": "Ro', 'raw', null, [1], 5]) {
    it(`wrap the arguments ${JSON.stringify(input)} of an earlier call in an object`, async () => {
      const call = { type: 'tool-call', callId: 'a', name: 'now', input } as const
      for (const preset of ['vllm', 'llama-cpp', 'mistral'] as const) {
        const text = argumentsIn(await asked(preset, {}, calledBy([call])))
        expect(JSON.parse(String(text)), preset).to.deep.equal({ INVALID_JSON: input })
      }
    })
  }

  for (const [written, expected] of [
    ['{"city": "Ro', '{"INVALID_JSON":"{\\"city\\": \\"Ro"}'],
    ['[1]', '{"INVALID_JSON":[1]}'],
    [' ', '{}'],
    ['null', '{}'],
    ['{ "city": "Rome" }', '{ "city": "Rome" }'],
  ] as const) {
    it(`give the server its own arguments ${written} back as an object`, async () => {
      const call = { id: 'a', type: 'function', function: { name: 'now', arguments: written } }
      const answer = { choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }
      const { messages } = await sent(answer, { preset: 'vllm' })
      const own = calledBy(messages[0]?.parts ?? [])
      expect(argumentsIn(await asked('vllm', {}, own))).to.equal(expected)
    })
  }
})

describe('requests to OpenAI-compatible servers', () => {
  for (const preset of NAMES) {
    it(`say no more than they are asked to: ${preset}`, async () => {
      const { body, warnings } = await asked(preset)
      expect(body).to.deep.equal({
        model: 'some-model',
        messages: [{ role: 'user', content: 'Hello' }],
      })
      expect(warnings).to.deep.equal([])
    })
  }

  const LIMITS: { readonly [preset in PresetName]?: string } = {
    groq: 'max_completion_tokens',
    xai: 'max_completion_tokens',
  }
  const SEEDS: { readonly [preset in PresetName]?: object } = {
    mistral: { random_seed: 7 },
    deepseek: {},
  }

  for (const preset of NAMES) {
    it(`name limits and seeds as the server does: ${preset}`, async () => {
      const { body, warnings } = await asked(preset, {
        max_output_tokens: 99,
        seed: 7,
        temperature: 0.5,
        stop: ['x'],
      })
      const { model, messages, ...fields } = body
      const temperature = preset === 'deepseek' ? {} : { temperature: 0.5 }
      expect(fields).to.deep.equal({
        [LIMITS[preset] ?? 'max_tokens']: 99,
        stop: ['x'],
        ...temperature,
        ...(SEEDS[preset] ?? { seed: 7 }),
      })
      expect(warnings).to.have.length(preset === 'deepseek' ? 2 : 0)
    })
  }

  const template = (reasoning_effort: string) => ({
    reasoning_effort,
    chat_template_kwargs: { enable_thinking: true, thinking: true, reasoning_effort },
  })
  const off = { chat_template_kwargs: { enable_thinking: false, thinking: false } }
  const effort = (reasoning_effort: string) => ({ reasoning_effort })

  /** What the body says of an effort; nothing stands for a warning. */
  const EFFORTS: readonly [preset: PresetName, model: string, effort: string, fields?: object][] = [
    [
      'deepseek',
      'deepseek-v4-pro',
      'max',
      { thinking: { type: 'enabled' }, reasoning_effort: 'max' },
    ],
    ['deepseek', 'deepseek-flash', 'none', { thinking: { type: 'disabled' } }],
    ['groq', 'openai/gpt-oss-120b', 'high', effort('high')],
    ['groq', 'openai/gpt-oss-120b', 'none'],
    ['groq', 'qwen/qwen3-32b', 'none', { reasoning_format: 'parsed', reasoning_effort: 'none' }],
    ['groq', 'qwen/qwen3-32b', 'high', { reasoning_format: 'parsed', reasoning_effort: 'default' }],
    ['groq', 'llama-3.3-70b-versatile', 'low'],
    ['xai', 'grok-4.3', 'none', effort('none')],
    ['xai', 'grok-4.5', 'none'],
    ['xai', 'grok-4.6', 'xhigh', effort('xhigh')],
    ['xai', 'grok-3-mini', 'medium'],
    ['xai', 'grok-4', 'low'],
    ['mistral', 'mistral-small-latest', 'high', effort('high')],
    ['mistral', 'mistral-small-latest', 'low'],
    ['mistral', 'mistral-large-latest', 'high'],
    ['openrouter', 'openrouter/auto', 'minimal', { reasoning: { effort: 'minimal' } }],
    ['together', 'openai/gpt-oss-20b', 'low', effort('low')],
    ['together', 'moonshotai/Kimi-K2.6', 'none', { reasoning: { enabled: false } }],
    ['together', 'moonshotai/Kimi-K2.6', 'high', { reasoning: { enabled: true } }],
    ['ollama', 'gpt-oss:20b', 'none', effort('none')],
    ['lm-studio', 'openai/gpt-oss-20b', 'medium', effort('medium')],
    ['lm-studio', 'openai/gpt-oss-20b', 'max'],
    ['vllm', 'Qwen/Qwen3-8B', 'none', off],
    ['vllm', 'Qwen/Qwen3-8B', 'high', template('high')],
    ['llama-cpp', 'gpt-oss', 'low', template('low')],
  ]
  for (const [preset, model, asks, fields] of EFFORTS) {
    it(`${fields ? 'tell' : 'warn of'} the effort "${asks}" of ${model} at ${preset}`, async () => {
      const settings = { preset, reasoning_effort: asks }
      const { body, warnings } = await askedOf(settings, { model }, [hello])
      const { model: _model, messages: _messages, ...rest } = body
      const always =
        preset === 'groq' && model.includes('qwen') ? { reasoning_format: 'parsed' } : {}
      expect(rest).to.deep.equal(fields ?? always)
      expect(warnings).to.have.length(fields ? 0 : 1)
    })
  }

  const named = (name: string) => ({ type: 'function', function: { name } })
  const offered = ({ tools }: Body) =>
    (tools as readonly { function: { name: string } }[] | undefined)?.map(
      (one) => one.function.name,
    )

  const CHOICES: readonly [
    preset: PresetName,
    model: string,
    choice: Config['tool_choice'],
    expected: { choice?: unknown; tools?: readonly string[]; warns?: true },
  ][] = [
    ['groq', 'm', 'required', { choice: 'required' }],
    ['groq', 'm', { tool: 'now' }, { choice: named('now') }],
    ['mistral', 'm', 'required', { choice: 'any' }],
    ['mistral', 'm', 'auto', { choice: 'auto' }],
    ['lm-studio', 'm', { tool: 'now' }, { choice: 'required', tools: ['now'] }],
    ['llama-cpp', 'm', { tool: 'now' }, { choice: 'required', tools: ['now'] }],
    ['llama-cpp', 'm', 'none', { choice: 'none' }],
    ['ollama', 'm', 'none', { tools: [] }],
    ['ollama', 'm', 'auto', {}],
    ['ollama', 'm', 'required', { warns: true }],
    ['ollama', 'm', { tool: 'now' }, { tools: ['now'], warns: true }],
    ['deepseek', 'deepseek-chat', 'required', { choice: 'required' }],
    ['deepseek', 'deepseek-v4-pro', 'required', { warns: true }],
    ['deepseek', 'deepseek-v4-pro', 'auto', {}],
    ['deepseek', 'deepseek-v4-pro', 'none', { choice: 'none' }],
  ]
  for (const [preset, model, choice, expected] of CHOICES) {
    it(`tell ${preset} of ${model} to choose ${JSON.stringify(choice)}`, async () => {
      const { body, warnings } = await asked(preset, {
        model,
        tool_choice: choice,
        tools: TOOLS,
      } as ConfigLayer)
      const { tools = ['weather', 'now'] } = expected
      expect(body['tool_choice']).to.deep.equal(expected.choice)
      expect(offered(body) ?? []).to.deep.equal(tools)
      expect(warnings).to.have.length(expected.warns ? 1 : 0)
    })
  }

  it('force a model of DeepSeek that is told not to think', async () => {
    const config = {
      model: 'deepseek-v4-pro',
      reasoning_effort: 'none',
      tool_choice: 'required',
      tools: TOOLS,
    } as const
    expect((await asked('deepseek', config)).body['tool_choice']).to.equal('required')
  })

  it('warn where calls cannot be told to come one at a time', async () => {
    for (const preset of NAMES) {
      const { body, warnings } = await asked(preset, { parallel_tool_calls: false, tools: TOOLS })
      const isTold = !['deepseek', 'ollama', 'lm-studio'].includes(preset)
      expect(body['parallel_tool_calls'], preset).to.equal(isTold ? false : undefined)
      expect(warnings, preset).to.have.length(isTold ? 0 : 1)
    }
  })

  it('leave out an empty list of stop sequences, which some servers refuse', async () => {
    const { body } = await asked('mistral', { model: 'mistral-small', stop: [] })
    expect(body).to.not.have.property('stop')
  })

  it('leave out stop sequences for models of xAI that think', async () => {
    const { body, warnings } = await asked('xai', { model: 'grok-4.6', stop: ['x'] })
    expect(body).not.to.have.property('stop')
    expect(warnings).to.have.length(1)
    const config = { model: 'grok-4.20-non-reasoning', stop: ['x'] }
    expect((await asked('xai', config)).body['stop']).to.deep.equal(['x'])
  })

  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const held = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: false } }
  const any = {
    type: 'json_schema',
    json_schema: { name: 'answer', schema: { type: 'object' }, strict: false },
  }
  const json = { type: 'json_object' }

  for (const preset of NAMES) {
    it(`ask for JSON as the server knows it: ${preset}`, async () => {
      const bySchema = await asked(preset, { response_format: { type: 'json-schema', schema } })
      const byType = await asked(preset, { response_format: { type: 'json' } })
      const [knowsSchema, knowsJson] = [preset !== 'deepseek', preset !== 'lm-studio']
      expect(bySchema.body['response_format']).to.deep.equal(knowsSchema ? held : json)
      expect(bySchema.warnings).to.have.length(knowsSchema ? 0 : 1)
      expect(byType.body['response_format']).to.deep.equal(knowsJson ? json : any)
      expect(byType.warnings).to.have.length(knowsJson ? 0 : 1)
    })
  }

  const png = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const
  const linked = { type: 'file', mediaType: 'image/png', url: 'https://a.test/a.png' } as const
  const pdf = { type: 'file', mediaType: 'application/pdf', data: 'BBBB', name: 'a.pdf' } as const
  const linkedPdf = {
    type: 'file',
    mediaType: 'application/pdf',
    url: 'https://a.test/a.pdf',
  } as const
  const wav = { type: 'file', mediaType: 'audio/wav', data: 'CCCC' } as const
  const image = (url: string) => ({ type: 'image_url', image_url: { url } })
  const IMAGE = image('data:image/png;base64,AAAA')
  const LINK = image('https://a.test/a.png')
  const SOUND = { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } }
  const PDF = 'data:application/pdf;base64,BBBB'

  const FILES: readonly [
    preset: PresetName,
    model: string,
    part: Message['parts'][number],
    content?: object,
  ][] = [
    ['groq', 'm', png, IMAGE],
    ['groq', 'm', linked, LINK],
    ['groq', 'm', pdf],
    ['deepseek', 'deepseek-v4-pro', png],
    ['deepseek', 'deepseek-flash', png, IMAGE],
    ['ollama', 'm', png, IMAGE],
    ['ollama', 'm', linked],
    ['lm-studio', 'm', linked],
    ['vllm', 'm', wav, SOUND],
    ['llama-cpp', 'm', wav, SOUND],
    ['together', 'm', wav],
    ['mistral', 'm', pdf, { type: 'document_url', document_url: PDF, document_name: 'a.pdf' }],
    ['mistral', 'm', linkedPdf, { type: 'document_url', document_url: 'https://a.test/a.pdf' }],
    ['openrouter', 'm', pdf, { type: 'file', file: { filename: 'a.pdf', file_data: PDF } }],
    [
      'openrouter',
      'm',
      linkedPdf,
      { type: 'file', file: { filename: 'file', file_data: 'https://a.test/a.pdf' } },
    ],
  ]
  for (const [preset, model, part, content] of FILES) {
    const label = `${'url' in part ? 'at an address' : 'by value'}: ${(part as { mediaType: string }).mediaType}`
    it(`${content ? 'carry' : 'do not carry'} a file ${label}, to ${model} at ${preset}`, async () => {
      const message = user({ type: 'text', text: 'Look' }, part)
      if (content === undefined) {
        const error = await asked(preset, { model }, [message]).catch((thrown: Error) => thrown)
        expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/1' })
        return
      }
      const { body, warnings } = await asked(preset, { model }, [message])
      const look = { type: 'text', text: 'Look' }
      expect(body['messages']).to.deep.equal([{ role: 'user', content: [look, content] }])
      expect(warnings).to.have.length(0)
    })
  }

  const shot = (callId: string, ...output: Message['parts']) =>
    ({ type: 'tool-result', callId, name: 'shot', output }) as const
  const shots = (...results: ReturnType<typeof shot>[]): readonly Message[] => [
    hello,
    {
      role: 'assistant',
      parts: results.map(({ callId }) => ({ type: 'tool-call', callId, name: 'shot', input: {} })),
    },
    { role: 'tool', parts: results },
  ]
  const seen = { type: 'text', text: 'Seen' } as const

  it('carry the images of tool results behind all results of a step', async () => {
    const { body, warnings } = await asked('groq', {}, [
      ...shots(shot('c1', seen, png), shot('c2', linked), shot('c3', seen)),
      hello,
    ])
    const told = (callId: string) => ({
      type: 'text',
      text: `[The images in the result of "shot", call "${callId}":]`,
    })
    expect((body['messages'] as readonly Body[]).slice(2)).to.deep.equal([
      { role: 'tool', tool_call_id: 'c1', content: 'Seen\n[file image/png]' },
      { role: 'tool', tool_call_id: 'c2', content: '[file image/png]' },
      { role: 'tool', tool_call_id: 'c3', content: 'Seen' },
      { role: 'user', content: [told('c1'), IMAGE, told('c2'), LINK] },
      { role: 'user', content: 'Hello' },
    ])
    expect(warnings).to.deep.equal([])
  })

  it('only name the files of tool results that a model or server does not take', async () => {
    const cases = [
      ['deepseek', 'deepseek-v4-pro', png],
      ['together', 'm', wav],
      ['openrouter', 'm', pdf],
    ] as const
    for (const [preset, model, part] of cases) {
      const { body, warnings } = await asked(preset, { model }, shots(shot('c1', seen, part)))
      const [result, ...rest] = (body['messages'] as readonly Body[]).slice(2)
      expect(result?.['content']).to.match(/^Seen\n\[file .+\]$/)
      expect(rest).to.deep.equal([])
      expect(warnings).to.have.length(1)
      expect(warnings[0]).to.include('"shot"')
    }
  })

  it('carry no file of a kind that the settings do not list for the models', async () => {
    const settings = { base_url: 'https://a.test/v1', input: ['text'] }
    const error = await askedOf(settings, {}, [user(png)]).catch((thrown: Error) => thrown)
    expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/0' })
    const { body } = await askedOf(settings, {}, shots(shot('c1', png)))
    expect((body['messages'] as readonly Body[]).at(-1)).to.include({ role: 'tool' })
    const host = await createHost({ plugins: [createOpenAICompatible()] })
    const config = configWith(settings, {})
    expect((await host.modelInfo(config, 'some-model')).input).to.deep.equal(['text'])
    expect((await host.resolve(config)).tags).to.not.include.members(['vision'])
  })

  const idsIn = ({ body }: Asked): readonly unknown[] => {
    const [, answer, ...results] = body['messages'] as readonly Body[]
    const calls = answer?.['tool_calls'] as readonly Body[]
    const ids = calls.map(({ id }) => id)
    expect(results.map(({ tool_call_id: id }) => id)).to.deep.equal(ids)
    return ids
  }

  it('have the ids of calls in any characters, unless the server refuses them', async () => {
    const ids = ['functions.now:0', 'call.1', 'chatcmpl-tool-c0ffee']
    const parts = ids.map((callId): Message['parts'][number] => ({
      type: 'tool-call',
      callId,
      name: 'now',
      input: {},
    }))
    const unknown = await askedOf({ base_url: 'https://a.test/v1' }, {}, calledBy(parts))
    expect(idsIn(unknown)).to.deep.equal(ids)
    for (const id of idsIn(await asked('mistral', {}, calledBy(parts)))) {
      expect(id).to.match(/^[a-z0-9]{9}$/)
    }
  })

  it('have a long id of a call unchanged where the same server gave it', async () => {
    const id = `call_${'x'.repeat(200)}`
    const call = { id, type: 'function', function: { name: 'now', arguments: '{}' } }
    const answer = { choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }
    const { messages } = await sent(answer, { preset: 'groq' })
    const own = calledBy(messages[0]?.parts ?? [])
    expect(idsIn(await asked('groq', {}, own))).to.deep.equal([id])
    const [other] = idsIn(await asked('xai', {}, own))
    expect(other).to.match(/^[a-f0-9]{32}$/)
  })

  /** A history in which a server's own answer stands. */
  const historyOf = async (preset: PresetName, fixture: string): Promise<readonly Message[]> => {
    const { messages } = await sent(wholeOf(fixture), { preset })
    const results = messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'tool-call'
          ? [{ type: 'tool-result' as const, callId: part.callId, name: part.name, output: 'done' }]
          : [],
      ),
    )
    return [
      hello,
      ...messages,
      ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : [hello]),
    ]
  }
  for (const preset of NAMES) {
    it(`give a server its own reasoning back where it wants it: ${preset}`, async () => {
      const answer = answerIn(await asked(preset, {}, await historyOf(preset, 'calls')))
      const expected = preset === 'xai' ? undefined : 'Two cities, and the time.'
      expect(answer['reasoning_content']).to.equal(expected)
    })

    it(`give no server the reasoning of another: ${preset}`, async () => {
      const other = preset === 'groq' ? 'vllm' : 'groq'
      const answer = answerIn(
        await asked(preset, { model: 'deepseek-chat' }, await historyOf(other, 'calls')),
      )
      expect(Object.keys(answer)).to.have.members(['role', 'content', 'tool_calls'])
    })
  }

  it('give no server without a preset the reasoning of another address', async () => {
    const { messages } = await sent(wholeOf('calls'), { base_url: 'https://a.test/v1' })
    for (const [base_url, isOwn] of [
      ['https://a.test/v1', true],
      ['https://b.test/v1', false],
    ] as const) {
      const answer = answerIn(await askedOf({ base_url }, {}, [hello, ...messages]))
      expect('reasoning_content' in answer).to.equal(isOwn)
    }
  })

  it('have a field for reasoning in each answer, where a model of DeepSeek asks for it', async () => {
    const history = await historyOf('groq', 'calls')
    const answer = answerIn(await asked('deepseek', { model: 'deepseek-v4-pro' }, history))
    expect(answer['reasoning_content']).to.equal('')
  })

  it('give reasoning details back as they came', async () => {
    for (const name of ['reasoning-details', 'sealed-reasoning', 'summary-alone']) {
      const [whole] = wholeOf(name)['choices'] as readonly { message: Body }[]
      const answer = answerIn(await asked('openrouter', {}, await historyOf('openrouter', name)))
      expect(answer['reasoning_details'], name).to.deep.equal(whole?.message['reasoning_details'])
    }
  })

  it('give thoughts back to Mistral as the list that they were', async () => {
    const [whole] = wholeOf('thinking-in-content')['choices'] as readonly { message: Body }[]
    const answer = answerIn(
      await asked('mistral', {}, await historyOf('mistral', 'thinking-in-content')),
    )
    expect(answer).to.deep.equal(whole?.message)
  })

  it('have ids that Mistral takes, the same in calls and results', async () => {
    const { body } = await asked('mistral', {}, await historyOf('groq', 'calls'))
    const [, answer = {}, ...results] = body['messages'] as readonly Body[]
    const ids = (answer['tool_calls'] as readonly { id: string }[]).map(({ id }) => id)
    for (const id of ids) expect(id).to.match(/^[a-zA-Z0-9]{9}$/)
    expect(results.map((result) => result['tool_call_id'])).to.deep.equal(ids)
  })

  it('have an answer between the results of tools and a user, where Mistral asks for one', async () => {
    const history = [...(await historyOf('mistral', 'calls')), hello]
    const roles = ({ body }: Asked) => (body['messages'] as readonly Body[]).map(({ role }) => role)
    expect(roles(await asked('mistral', {}, history)).slice(-3)).to.deep.equal([
      'tool',
      'assistant',
      'user',
    ])
    expect(roles(await asked('groq', {}, history)).slice(-3)).to.deep.equal([
      'tool',
      'tool',
      'user',
    ])
  })

  for (const preset of NAMES) {
    it(`ask for the usage of a stream, unless it is told anyway: ${preset}`, async () => {
      let body: Body = {}
      const fetch: typeof globalThis.fetch = async (_input, init) => {
        body = JSON.parse(String(init?.body)) as Body
        return new Response('data: [DONE]', { headers: { 'content-type': 'text/event-stream' } })
      }
      const host = await createHost({ plugins: [createOpenAICompatible({ fetch })] })
      await host.stream(configWith({ api_key: 'some-key', preset }), 'Hello').result
      const expected = preset === 'mistral' ? undefined : { include_usage: true }
      expect(body).to.include({ stream: true })
      expect(body['stream_options']).to.deep.equal(expected)
    })
  }
})
