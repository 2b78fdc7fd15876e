import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { ChatRequest, Message } from './request.ts'
import { answerTo } from './rules.ts'

const ADD = { function: { name: 'mcp__demo__add', parameters: { type: 'object' } } }
const PERSON = {
  type: 'object',
  properties: {
    name: { $ref: '#/$defs/name' },
    age: { type: 'integer' },
    note: { type: 'string' },
  },
  $defs: { name: { anyOf: [{ type: 'null' }, { type: 'string' }] } },
}
const ASKED = 'Write down: name=Ada, age=36.'

function user(content: Message['content']): Message {
  return { role: 'user', content: content ?? null }
}

function ask(content: Message['content'], more: Partial<ChatRequest> = {}) {
  return answerTo({ model: 'rules', messages: [user(content)], ...more })
}

describe('the model that answers applications', () => {
  it('calls the tool that the question names, once, and tells its result', () => {
    const question = 'Use the tool add with {"a": 1}.'
    const called = { kind: 'call', name: 'mcp__demo__add', input: { a: 1 } }
    expect(ask(question, { tools: [ADD] })).to.deep.equal(called)
    expect(ask(question)).to.deep.equal({
      kind: 'text',
      text: 'No tool add is offered. Offered are: ',
    })
    const call = { id: 'c1', function: { name: 'mcp__demo__add', arguments: '{"a":1}' } }
    const messages: Message[] = [
      user(question),
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'two' },
    ]
    const told = answerTo({ model: 'rules', tools: [ADD], messages })
    expect(told).to.deep.equal({ kind: 'text', text: 'The tool mcp__demo__add said: two' })
  })

  it('fills a schema with what the question says, as a text and as a required call', () => {
    const instance = { name: 'Ada', age: 36, note: `You said: ${ASKED}` }
    const json_schema = { schema: PERSON }
    const answer = ask(ASKED, { response_format: { type: 'json_schema', json_schema } })
    expect(answer).to.deep.equal({ kind: 'text', text: JSON.stringify(instance) })
    const tools = [{ function: { name: 'Person', parameters: PERSON } }]
    const called = { kind: 'call', name: 'Person', input: instance }
    expect(ask(ASKED, { tools, tool_choice: 'required' })).to.deep.equal(called)
    expect(ask(ASKED, { tools })).to.deep.equal({ kind: 'text', text: `You said: ${ASKED}` })
    const pairs = ask(ASKED, { response_format: { type: 'json_object' } })
    expect(pairs).to.deep.equal({ kind: 'text', text: '{"name":"Ada","age":36}' })
  })

  it('describes the bytes of an image', () => {
    const bytes = Buffer.from('an image')
    const url = `data:image/png;base64,${bytes.toString('base64')}`
    const answer = ask([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
    ])
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    expect(answer).to.deep.equal({ kind: 'text', text: `I see image/png of 8 bytes, ${hash}.` })
  })

  it('knows the earlier questions, counts under a mark, and else repeats the question', () => {
    const messages = [user('one'), user('two'), user('What did I say before?')]
    expect(answerTo({ model: 'rules', messages })).to.deep.equal({
      kind: 'text',
      text: 'Before, you said: one | two',
    })
    const counted = { kind: 'count', to: 9, mark: 'm-1' }
    expect(ask('Count to 9 under the mark m-1.')).to.deep.equal(counted)
    expect(ask('hello')).to.deep.equal({ kind: 'text', text: 'You said: hello' })
  })
})
