import { expect } from 'chai'
import type { Message, Provider } from '../../../src/plugin/index.ts'
import { tool } from '../../helpers/plugins.ts'
import { Served } from '../routes/served.ts'

const parameters = { type: 'object', properties: {} }
const BODIES = {
  '/v1/chat/completions': { tools: [{ type: 'function', function: { name: 'look', parameters } }] },
  '/v1/messages': { max_tokens: 100, tools: [{ name: 'look', input_schema: parameters }] },
} as const
type Path = keyof typeof BODIES

/** The call of the client's tool, whose id is the same in every conversation. */
const LOOK = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
const USE = { type: 'tool_use', id: 'call_1', name: 'look', input: {} }

const user = (content: string) => ({ role: 'user', content })
const answered = (content: string | null, calls = [LOOK]) => ({
  role: 'assistant',
  content,
  tool_calls: calls,
})
const result = (content: string) => ({ role: 'tool', tool_call_id: 'call_1', content })

describe('the history that a client sends', () => {
  let served: Served
  /** The messages that the model was shown last. */
  let shown: readonly Message[]
  beforeEach(async () => {
    const remembering = {
      kind: 'provider',
      name: 'p',
      getTags: () => ['tools'],
      toNative: (messages) => {
        shown = messages
        return {}
      },
      call: (native, state) => [[], [{}], native, state],
      fromNative: () => [{ role: 'assistant', parts: partsFor(shown) }],
    } satisfies Provider<object>
    const secret = tool('finder', { schemas: ['search'], executeTool: () => 'SECRET' })
    const models = { one: {}, other: {} }
    served = await Served.start({ models }, { plugins: [remembering, secret], config: {} })
  })
  afterEach(() => served.close())

  /** Notes what the user says, searches, and then calls the client's tool. */
  function partsFor(messages: readonly Message[]): Message['parts'] {
    const last = messages.at(-1)?.parts[0]
    const call = (callId: string, name: string) =>
      ({ type: 'tool-call', callId, name, input: {} }) as const
    if (last?.type === 'text') {
      const noted = {
        type: 'text',
        text: `Noted: ${last.text}`,
        providerMetadata: { p: { mark: 'MARK' } },
      } as const
      return last.text.includes('search')
        ? [noted, call('h', 'search')]
        : [noted, call('call_1', 'look')]
    }
    if (last?.type === 'tool-result' && last.name === 'search') return [call('call_1', 'look')]
    return [{ type: 'text', text: 'Done' }]
  }

  const ask = async (
    messages: readonly object[],
    { path = '/v1/chat/completions', model = 'one' }: { path?: Path; model?: string } = {},
  ) => {
    const { status, text } = await served.ask(path, { body: { ...BODIES[path], model, messages } })
    expect(status, text).to.equal(200)
    return JSON.stringify(shown)
  }

  it('is what the model is shown, though another conversation had the same call', async () => {
    await ask([user('Alice, PIN 1234')])
    const bob = [user('Hi, Bob here'), answered('Hello Bob'), result('ok')]
    for (const model of ['one', 'other']) {
      const told = await ask(bob, { model })
      expect(told).to.include('Hello Bob')
      expect(told).to.not.include('1234')
    }
    const use = { role: 'assistant', content: [{ type: 'text', text: 'Hello Bob' }, USE] }
    const ended = { type: 'tool_result', tool_use_id: 'call_1', content: 'ok' }
    const messages = [user('Hi, Bob here'), use, { role: 'user', content: [ended] }]
    expect(await ask(messages, { path: '/v1/messages' })).to.not.include('1234')
  })

  it('gets nothing of another conversation that differs only before the answer', async () => {
    const system = (content: string) => ({ role: 'system', content })
    await ask([system('For Alice'), user('search')])
    const told = await ask([
      system('For Bob'),
      user('search'),
      answered('Noted: search'),
      result('ok'),
    ])
    expect(told).to.not.include('SECRET')
  })

  it('gets back what it could not send, in the place of the same answer', async () => {
    const first = user('search')
    await ask([first])
    const second = [first, answered('Noted: search'), result('ok')]
    expect(await ask(second))
      .to.include('SECRET')
      .and.include('MARK')
    const third = [...second, { role: 'assistant', content: 'Done' }, user('And now?')]
    expect(await ask(third, { model: 'other' })).to.include('SECRET')
    const blocks = [{ type: 'text', text: 'Noted: search' }, USE]
    const ended = { type: 'tool_result', tool_use_id: 'call_1', content: 'ok' }
    const messages = [
      first,
      { role: 'assistant', content: blocks },
      { role: 'user', content: [ended] },
    ]
    expect(await ask(messages, { path: '/v1/messages' })).to.include('SECRET')
  })

  it('gets it back where the client was shown calls of the host, and sends them', async () => {
    const first = user('search')
    const ended = { call_id: 'call_1', output: 'ok' }
    const asked = { model: 'one', tools: [{ type: 'function', name: 'look', parameters }] }
    const begun = await served.ask('/v1/responses', { body: { ...asked, input: [first] } })
    const output = begun.json['output'] as unknown as readonly { readonly type: string }[]
    expect(output.map(({ type }) => type)).to.include.members(['mcp_call', 'function_call'])
    const input = [first, ...output, { type: 'function_call_output', ...ended }]
    await served.ask('/v1/responses', { body: { ...asked, input } })
    expect(JSON.stringify(shown)).to.include('MARK').and.include('"callId":"h"')
    expect(shown.map(({ role }) => role).join()).to.equal('user,assistant,tool,assistant,tool')

    const calls = output.map((item) =>
      item.type === 'mcp_call' ? { ...item, output: null } : item,
    )
    const without = [first, ...calls, { type: 'function_call_output', ...ended }]
    await served.ask('/v1/responses', { body: { ...asked, input: without } })
    expect(JSON.stringify(shown), 'without results').to.include('MARK').and.include('"callId":"h"')

    const body = { ...BODIES['/v1/messages'], model: 'one', messages: [first] }
    const beta = await served.ask('/v1/messages?beta=true', { body })
    const blocks = beta.json['content'] as unknown as readonly {
      readonly type: string
      readonly id: string
    }[]
    expect(blocks.map(({ type }) => type)).to.include.members(['mcp_tool_result', 'tool_use'])
    const id = blocks.find(({ type }) => type === 'tool_use')?.id
    const result = { type: 'tool_result', tool_use_id: id, content: 'ok' }
    const sent = [
      { role: 'assistant', content: blocks },
      { role: 'user', content: [result] },
    ]
    const told = await ask([first, ...sent], { path: '/v1/messages' })
    // The model repeats its ids in the second answer to the same question.
    expect(told).to.include('MARK').and.include('"callId":"h-2"')
  })

  it('keeps a text that the client changed', async () => {
    await ask([user('search')])
    for (const text of ['CHANGED', null, '']) {
      const told = await ask([user('search'), answered(text), result('ok')])
      expect(told).to.not.include('Noted').and.not.include('SECRET')
    }
  })
})
