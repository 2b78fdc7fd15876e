import { expect } from 'chai'
import type { Message, Part } from '../../../src/core/index.ts'
import { type Asking, asked, assistant, hello, streamedEvents, text, tool, user } from './asking.ts'

type Block = { readonly [key: string]: unknown }

const own = (block: object) => ({ providerMetadata: { anthropic: { block } } })
const call = (callId: string, more: object = {}) =>
  ({ type: 'tool-call', callId, name: 'weather', input: { city: 'Ulm' }, ...more }) as Part
const result = (callId: string): Part => ({
  type: 'tool-result',
  callId,
  name: 'weather',
  output: 'ok',
})
/** A call that the API ran, and its result. */
const search = (callId: string, more: object = {}): Part => ({
  type: 'tool-call',
  callId,
  name: 'web_search',
  input: { query: 'Ulm' },
  providerExecuted: true,
  ...own({ type: 'server_tool_use', ...more }),
})
const found = (callId: string, more: object = {}): Part => ({
  type: 'tool-result',
  callId,
  name: 'web_search',
  output: [],
  providerExecuted: true,
  ...own({ type: 'web_search_tool_result', tool_use_id: callId, ...more }),
})

const turnsOf = async (messages: readonly Message[], asking: Asking = {}) => {
  const { body, warnings } = await asked(messages, asking)
  return { turns: body['messages'] as { role: string; content: Block[] }[], warnings }
}

const kindsOf = ({ content }: { content: Block[] }) =>
  content.map((block) => (block['type'] === 'text' ? block['text'] : block['type']))

describe('conversations that Anthropic is told', () => {
  it('have turns that follow each other as one', async () => {
    const { turns } = await turnsOf([hello, user(text('Are you there?')), assistant(text('Yes.'))])
    expect(turns.map(kindsOf)).to.deep.equal([['Hello', 'Are you there?'], ['Yes.']])
  })

  it('have results before what the user says', async () => {
    const said = { ...tool(result('c1')), parts: [text('By the way'), result('c1')] }
    const { turns } = await turnsOf([hello, assistant(call('c1')), said])
    expect(turns.map(kindsOf)).to.deep.equal([
      ['Hello'],
      ['tool_use'],
      ['tool_result', 'By the way'],
    ])
  })

  it('have a result for each call, and a call for each result', async () => {
    const { turns, warnings } = await turnsOf([
      hello,
      assistant(call('c1'), call('c2')),
      tool(result('c1'), result('stray')),
      hello,
    ])
    expect(turns.map(kindsOf)).to.deep.equal([
      ['Hello'],
      ['tool_use', 'tool_use'],
      ['tool_result', 'tool_result', '[weather answered ok]', 'Hello'],
    ])
    expect(turns[2]?.content[1]).to.include({ tool_use_id: 'c2', is_error: true })
    expect(warnings).to.have.length(2)
  })

  it('have ids that the API takes, and no two alike', async () => {
    const { turns } = await turnsOf([
      hello,
      assistant(call('call 1'), call('same')),
      tool(result('call 1'), result('same')),
      assistant(call('same')),
      tool(result('same')),
    ])
    const ids = turns.flatMap(({ content }) => content.flatMap(({ id }) => id ?? []))
    const answered = turns.flatMap(({ content }) =>
      content.flatMap(({ tool_use_id: id }) => id ?? []),
    )
    expect(answered).to.deep.equal(ids)
    expect(new Set(ids)).to.have.property('size', 3)
    for (const id of ids) expect(id).to.match(/^[\w-]+$/)
  })

  it('have the ids that the API gave itself, whatever their characters', async () => {
    const callId = 'functions.weather:0'
    const block = { type: 'tool_use', id: callId, name: 'weather', input: {} }
    const { result: answer } = await streamedEvents([
      { type: 'message_start', message: { id: 'm', model: 'c', content: [], usage: {} } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ])
    const { turns } = await turnsOf([hello, ...answer.messages, tool(result(callId))])
    expect(turns[1]?.content[0]).to.deep.equal(block)
    expect(turns[2]?.content[0]).to.include({ tool_use_id: callId })
  })

  it('have no arguments but objects', async () => {
    const broken = call('c1', { input: '{"city": ' })
    const { turns } = await turnsOf([hello, assistant(broken), tool(result('c1'))])
    expect(turns[1]?.content[0]).to.deep.include({ input: { INVALID_JSON: '{"city": ' } })
  })

  it('have no thinking that was cut off before it was signed', async () => {
    const thinking = (facts: object): Part => ({ type: 'reasoning', text: 'Hm.', ...own(facts) })
    const { turns } = await turnsOf(
      [
        hello,
        assistant(
          thinking({ type: 'thinking' }),
          thinking({ type: 'thinking', signature: '' }),
          thinking({ type: 'thinking', signature: 'sig' }),
          thinking({ type: 'redacted_thinking', data: 'gA==' }),
          text('So.'),
        ),
        hello,
      ],
      { settings: { base_url: 'https://api.anthropic.com/' } },
    )
    expect(turns[1]?.content).to.deep.equal([
      { type: 'thinking', signature: 'sig', thinking: 'Hm.' },
      { type: 'redacted_thinking', data: 'gA==' },
      { type: 'text', text: 'So.' },
    ])
  })

  it('have no thinking with nothing behind it, as of an answer that was stopped', async () => {
    const signed = (signature: string): Part => ({
      type: 'reasoning',
      text: 'Hm.',
      ...own({ type: 'thinking', signature }),
    })
    const redacted: Part = { type: 'reasoning', text: '', ...own({ type: 'redacted_thinking' }) }
    const { turns } = await turnsOf([
      hello,
      assistant(text('So.'), signed('a'), redacted),
      hello,
      assistant(signed('b')),
      user(text('Well?')),
    ])
    expect(turns.map(kindsOf)).to.deep.equal([['Hello'], ['So.'], ['Hello', 'Well?']])
  })

  it('end the cache where the caller says so, in answers too', async () => {
    const cache_control = { type: 'ephemeral' }
    const ends = { providerMetadata: { anthropic: { cache_control } } }
    const { turns } = await turnsOf([
      hello,
      assistant({ ...text('So.'), ...ends }, call('c1', ends)),
      tool({ ...result('c1'), ...ends }),
    ])
    const blocks = turns.slice(1).flatMap(({ content }) => content)
    for (const block of blocks) expect(block).to.deep.include({ cache_control })
  })

  it('end in no white space where the model is to go on', async () => {
    const { turns } = await turnsOf([hello, assistant(text('Once upon a time \n'))])
    expect(turns.at(-1)?.content).to.deep.equal([{ type: 'text', text: 'Once upon a time' }])
  })

  it('go on with a turn that the API paused, just as it was', async () => {
    const { turns } = await turnsOf([hello, assistant(text('Let me look.'), search('s1'))])
    expect(turns.map(kindsOf)).to.deep.equal([['Hello'], ['Let me look.', 'server_tool_use']])
  })

  it('wait with a call of the API while the host answers another', async () => {
    const { turns } = await turnsOf([
      hello,
      assistant(search('s1'), call('c1')),
      tool(result('c1')),
      assistant(found('s1'), text('There.')),
      hello,
    ])
    expect(turns.map(kindsOf)).to.deep.equal([
      ['Hello'],
      ['server_tool_use', 'tool_use'],
      ['tool_result'],
      ['web_search_tool_result', 'There.'],
      ['Hello'],
    ])
  })

  it('tell a call of the API as text that was never answered', async () => {
    const { turns } = await turnsOf([hello, assistant(text('Let me look.'), search('s1')), hello])
    const said = '[web_search was called with {"query":"Ulm"}]'
    expect(turns.map(kindsOf)).to.deep.equal([['Hello'], ['Let me look.', said], ['Hello']])
  })

  it('tell a result of the API as text whose call is gone', async () => {
    const { turns } = await turnsOf([hello, assistant(found('s1'), text('There.')), hello])
    expect(turns.map(kindsOf)).to.deep.equal([
      ['Hello'],
      ['[web_search answered []]', 'There.'],
      ['Hello'],
    ])
  })

  it('have no result of the API among those of the host', async () => {
    const { turns } = await turnsOf([
      hello,
      assistant(search('s1'), found('s1')),
      tool(result('s1')),
    ])
    expect(turns.map(kindsOf)).to.deep.equal([
      ['Hello'],
      ['server_tool_use', 'web_search_tool_result'],
      ['[weather answered ok]'],
    ])
  })

  it('say that code made a call while that code is there', async () => {
    const caller = { type: 'code_execution_20250825', tool_id: 's1' }
    const called = call('c1', own({ type: 'tool_use', caller }))
    const whole = await turnsOf([hello, assistant(search('s1'), called), tool(result('c1'))])
    expect(whole.turns[1]?.content[1]).to.deep.include({ caller })
    const trimmed = await turnsOf([hello, assistant(called), tool(result('c1'))])
    expect(trimmed.turns[1]?.content[0]).not.to.have.property('caller')
    const direct = call('c1', own({ type: 'tool_use', caller: { type: 'direct' } }))
    const plain = await turnsOf([hello, assistant(direct), tool(result('c1'))])
    expect(plain.turns[1]?.content[0]).to.deep.include({ caller: { type: 'direct' } })
  })

  it('have found no tool that is not on offer any more', async () => {
    const references = ['weather', 'gone'].map((tool_name) => ({
      type: 'tool_reference',
      tool_name,
    }))
    const content = { type: 'tool_search_tool_search_result', tool_references: references }
    const block = { type: 'tool_search_tool_result', tool_use_id: 's1', content }
    const messages = [hello, assistant(search('s1'), { ...found('s1'), ...own(block) }), hello]
    const foundIn = async (asking: Asking) => {
      const { turns } = await turnsOf(messages, asking)
      const names = JSON.stringify(turns[1]).matchAll(/"tool_name":"(\w+)"/g)
      return [...names].map(([, name]) => name)
    }
    const weather = { name: 'weather', description: '', input_schema: { type: 'object' } }
    expect(await foundIn({ tools: [weather] })).to.deep.equal(['weather'])
    expect(await foundIn({})).to.deep.equal(['weather', 'gone'])
    // A server's tools have names that nobody here knows.
    const settings = { mcp_servers: [{ name: 'one', url: 'https://one.test' }] }
    expect(await foundIn({ settings })).to.deep.equal(['weather', 'gone'])
  })

  it('tell what other providers ran as text, and leave out what they thought', async () => {
    const { turns } = await turnsOf([
      hello,
      assistant(
        { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { signature: 's' } } },
        { type: 'tool-call', callId: 'x', name: 'find', input: { q: 1 }, providerExecuted: true },
        { type: 'tool-result', callId: 'x', name: 'find', output: ['a'], providerExecuted: true },
        { type: 'source', url: 'https://a.test' },
        { type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' },
        text('Found.'),
      ),
      hello,
    ])
    expect(turns[1] && kindsOf(turns[1])).to.deep.equal([
      '[find was called with {"q":1}]',
      '[find answered ["a"]]',
      '[file a.png]',
      'Found.',
    ])
  })
})
