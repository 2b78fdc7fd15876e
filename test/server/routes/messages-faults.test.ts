import { expect } from 'chai'
import { Served } from './served.ts'

const TEXT = { type: 'text', text: 'hi' }

describe('a fault in the messages of a request', () => {
  let served: Served
  before(async () => {
    served = await Served.start({ models: { quick: {} } })
  })
  after(() => served.close())

  const ask = async (path: string, body: object) => {
    const { json, status, text } = await served.ask(path, { body: { model: 'quick', ...body } })
    expect(status, text).to.equal(400)
    return json['error']
  }
  const open = { call_id: 'c1', name: 'look', arguments: '{}' }

  it('is in the field "input" of Responses', async () => {
    const call = { type: 'function_call', ...open }
    const body = { input: [call, { role: 'user', content: 'well?' }] }
    expect(await ask('/v1/responses', body)).to.include({
      code: 'messages_invalid',
      param: 'input',
    })
    const { text } = await served.ask('/v1/responses', {
      body: { model: 'quick', stream: true, ...body },
    })
    expect(text).to.include('"param":"input"').and.not.include('"param":"messages"')
  })

  it('is in the field "messages" of Chat Completions and of Messages', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const chat = [
      { role: 'user', content: [TEXT] },
      { role: 'assistant', tool_calls: [call] },
      { role: 'user', content: 'well?' },
    ]
    const told = await ask('/v1/chat/completions', { messages: chat })
    expect(told).to.include({ code: 'messages_invalid', param: 'messages' })
    const use = { type: 'tool_use', id: 'c1', name: 'look', input: {} }
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: 'well?' },
    ]
    const error = await ask('/v1/messages', { max_tokens: 9, messages })
    expect(error?.['message']).to.match(/^messages: call "c1" has no result/)
  })
})
