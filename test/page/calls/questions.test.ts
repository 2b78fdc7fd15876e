import { expect } from 'chai'
import {
  askingIn,
  asksPermission,
  choicesIn,
  isAsking,
  questionOf,
  takesReason,
} from '../../../src/page/site/calls/questions.ts'
import type { ToolPart, UiPart } from '../../../src/page/site/message/index.ts'

const call: ToolPart = {
  type: 'dynamic-tool',
  toolName: 'book',
  toolCallId: 'c1',
  state: 'input-available',
  input: { question: 'Which day?' },
}
const schema = { type: 'string' }
const asks = (approvalId: string, toolCallId = 'c1', more: object = {}): UiPart => ({
  type: 'data-question',
  data: { approvalId, toolCallId, question: 'Sure?', schema, ...more },
})
const messageOf = (...parts: readonly UiPart[]) => ({ id: 'm', role: 'assistant' as const, parts })

describe('the question of a call', () => {
  it('is in its arguments until the call has an output', () => {
    expect(questionOf(call)).to.equal('Which day?')
    expect(questionOf({ ...call, state: 'output-available' })).to.equal(undefined)
    expect(questionOf({ ...call, input: { question: 7 } })).to.equal(undefined)
  })

  it('in its middle is the last one that was asked', () => {
    const message = messageOf(call, asks('a1'), asks('a2'), asks('b1', 'other'))
    expect(askingIn(message, call)).to.deep.equal({ approvalId: 'a2', question: 'Sure?', schema })
  })

  it('shows its hidden characters, also where it asks for an approval', () => {
    const question = 'run a\u202eb?'
    expect(questionOf({ ...call, input: { question } })).to.equal('run a<U+202E>b?')
    const permission = {
      type: 'object',
      properties: { approve: { type: 'boolean' } },
      required: ['approve'],
    }
    const asking = askingIn(
      messageOf(call, asks('a1', 'c1', { question, schema: permission })),
      call,
    )
    expect(asking?.question).to.equal('run a<U+202E>b?')
    expect(asksPermission(asking?.schema ?? {})).to.equal(true)
  })

  it('has the call that another agent wants to make, whose names show their hidden characters', () => {
    const made = { agent: 'clerk\u200b', name: 'remove\u202e', input: { path: '/a' } }
    const asking = askingIn(messageOf(call, asks('a1', 'c1', { call: made })), call)
    expect(asking?.call).to.deep.equal({
      agent: 'clerk<U+200B>',
      name: 'remove<U+202E>',
      input: { path: '/a' },
    })
    const other = askingIn(messageOf(call, asks('a1', 'c1', { call: 'remove' })), call)
    expect(other).to.not.have.property('call')
  })

  it('makes its answer wait for a person, as an approval does', () => {
    const done = { ...call, state: 'output-available' as const }
    expect(isAsking(messageOf(call))).to.equal(true)
    expect(isAsking(messageOf({ ...call, input: {}, state: 'approval-requested' }))).to.equal(true)
    expect(isAsking(messageOf({ ...call, input: {} }, asks('a1')))).to.equal(true)
    expect(isAsking(messageOf(done, { type: 'text', text: 'Which day?' }))).to.equal(false)
  })

  it('has choices where the schema of the answer lists texts', () => {
    expect(choicesIn({ type: 'string', enum: ['red', 7, 'blue'] })).to.deep.equal(['red', 'blue'])
    expect(choicesIn({ type: 'integer', enum: [7] })).to.deep.equal([])
    expect(choicesIn(schema)).to.deep.equal([])
  })

  it('asks for an approval where the answer is nothing else', () => {
    const approve = { type: 'boolean' }
    const asked = { type: 'object', properties: { approve }, required: ['approve'] }
    const reasoned = { ...asked, properties: { approve, reason: schema } }
    expect([asked, reasoned].map(asksPermission)).to.deep.equal([true, true])
    expect([asked, reasoned].map(takesReason)).to.deep.equal([false, true])
    for (const other of [
      schema,
      { ...asked, required: [] },
      { ...asked, properties: { approve, why: schema } },
      { ...asked, properties: { approve: schema } },
    ]) {
      expect(asksPermission(other)).to.equal(false)
    }
  })

  it('is none where it is answered, or where it has another shape', () => {
    const done = { ...call, state: 'output-available' as const }
    expect(askingIn(messageOf(done, asks('a1')), done)).to.equal(undefined)
    expect(askingIn(messageOf(call, asks('a1', 'c1', { schema: 'text' })), call)).to.equal(
      undefined,
    )
    expect(askingIn(messageOf(call, { type: 'data-question', data: null }), call)).to.equal(
      undefined,
    )
    expect(askingIn(messageOf(call), call)).to.equal(undefined)
  })
})
