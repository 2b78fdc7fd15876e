import { expect } from 'chai'
import { Upstream } from '../upstream.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more })
const input_schema = { type: 'object' }
const tools = [{ name: 'look', description: 'Looks', input_schema }]
const call = { type: 'tool_use', id: 'c1', name: 'look', input: {} }
const result = { type: 'tool_result', tool_use_id: 'c1', content: 'there' }

describe('a history of the Messages API at Anthropic', () => {
  let upstream: Upstream
  before(async () => {
    const model = (prompt_cache?: string | boolean) => ({
      provider: 'anthropic',
      model: 'claude-sonnet-5-5',
      ...(prompt_cache ? { settings: { anthropic: { prompt_cache } } } : {}),
    })
    upstream = await Upstream.start({ m: model(), cached: model(true), hour: model('1h') })
  })
  after(() => upstream.close())

  async function sentFor(body: object, model = 'm') {
    return upstream.bodyOf('/v1/messages', { model, max_tokens: 9, tools, ...body })
  }

  it('has the marks of the client up to which it is cached', async () => {
    const { sent, ignored } = await sentFor({
      system: [text('Be short.'), text('Be kind.', hour)],
      messages: [
        { role: 'user', content: [text('Look.', mark)] },
        { role: 'assistant', content: [text('Yes.'), { ...call, ...mark }] },
        { role: 'user', content: [{ ...result, ...mark }] },
      ],
    })
    expect(ignored).to.equal(null)
    expect(sent['system']).to.deep.equal([text('Be short.'), text('Be kind.', hour)])
    expect(sent['messages']).to.deep.equal([
      { role: 'user', content: [text('Look.', mark)] },
      { role: 'assistant', content: [text('Yes.'), { ...call, ...mark }] },
      { role: 'user', content: [{ ...result, ...mark }] },
    ])
  })

  it('has the automatic mark of the operator too, unless the API would refuse it', async () => {
    const asked = (marks: readonly object[]) => ({
      messages: [{ role: 'user', content: marks.map((one, index) => text(`${index}`, one)) }],
    })
    const automatic = async (model: string, marks: readonly object[]) =>
      (await sentFor(asked(marks), model)).sent['cache_control']
    expect(await automatic('cached', [mark, mark, mark])).to.deep.equal({ type: 'ephemeral' })
    expect(await automatic('cached', [mark, mark, mark, mark])).to.equal(undefined)
    expect(await automatic('hour', [hour])).to.deep.equal({ type: 'ephemeral', ttl: '1h' })
    expect(await automatic('hour', [mark])).to.equal(undefined)
    expect(await automatic('m', [mark])).to.equal(undefined)
  })

  it('names marks that it does not honor', async () => {
    const { ignored } = await sentFor({
      system: [text('Hi.', { cache_control: { type: 'ephemeral', scope: 'global' } })],
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ ...result, content: [text('there', mark)] }] },
      ],
      tools: [{ ...tools[0], ...mark }],
    })
    expect(ignored?.split(', ')).to.have.members([
      'system[].cache_control.scope',
      'messages[].content[].content[].cache_control',
      'tools[].cache_control',
    ])
  })

  it('has instructions in the middle of it at their place, behind the results of calls', async () => {
    const { sent } = await sentFor({
      system: 'Be short.',
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'system', content: [text('It is late.', mark)] },
        { role: 'assistant', content: [call] },
        { role: 'system', content: 'It is later.' },
        { role: 'user', content: [result] },
        { role: 'system', content: 'Hurry.' },
      ],
    })
    const reminder = (value: string) => `<system-reminder>\n${value}\n</system-reminder>`
    expect(sent['system']).to.deep.equal([text('Be short.')])
    expect(sent['messages']).to.deep.equal([
      { role: 'user', content: [text('Look.'), text(reminder('It is late.'), mark)] },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result, text(reminder('It is later.')), text(reminder('Hurry.'))] },
    ])
  })
})
