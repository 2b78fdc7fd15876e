import { expect } from 'chai'
import {
  formAnswer,
  formFor,
  permissionFault,
  unaskable,
} from '../../../../src/server/wire/mcp/index.ts'

const question = (input: object) => ({ id: 'q', tool: 'ask_user', input, isQuestion: true })
const call = { id: 'c', tool: 'delete', input: { path: '/a' } }
const accept = (content: unknown) => ({ action: 'accept', content })

describe('forms of MCP', () => {
  it('ask for a permission with the arguments of the call, as far as they fit', () => {
    expect(formFor(call)).to.deep.equal({
      message: 'May the tool "delete" be run with {"path":"/a"}?',
      requestedSchema: {
        type: 'object',
        properties: { approve: { type: 'boolean', title: 'Run it' } },
        required: ['approve'],
      },
    })
    const long = formFor({ ...call, input: { text: 'a'.repeat(2000) } })
    expect(long.message.length).to.be.lessThan(1100)
  })

  it('approve only what a person has ticked', () => {
    const approved = (given: unknown) => formAnswer(call, given)?.approved
    expect(approved(accept({ approve: true }))).to.equal(true)
    for (const given of [accept({}), accept({ approve: 'true' }), accept(undefined)])
      expect(approved(given)).to.equal(false)
    expect(approved({ action: 'decline', content: { approve: true } })).to.equal(false)
    expect(approved({ action: 'cancel' })).to.equal(false)
    for (const given of [undefined, null, [], {}, { action: 'perhaps' }])
      expect(approved(given)).to.equal(undefined)
  })

  it('of a permission do not fit without a truth value', () => {
    for (const given of [accept({}), accept({ approve: 'true' }), accept(undefined)])
      expect(permissionFault(call, given)).to.include('"approve"')
    for (const given of [accept({ approve: false }), { action: 'decline' }, undefined])
      expect(permissionFault(call, given)).to.equal(undefined)
    expect(permissionFault(question({ question: 'Which?' }), accept({}))).to.equal(undefined)
  })

  it('have the fields of a question, without what forms of MCP cannot say', () => {
    const schema = {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, multipleOf: 2 },
        color: { type: 'string', enum: ['red', 'blue'] },
      },
      required: ['count'],
    }
    const asked = question({ question: 'Which?', schema })
    expect(formFor(asked, 'It is odd.')).to.deep.equal({
      message: 'It is odd.\nWhich?',
      requestedSchema: {
        type: 'object',
        properties: {
          count: { type: 'integer', minimum: 1 },
          color: { type: 'string', enum: ['red', 'blue'] },
        },
        required: ['count'],
      },
    })
    const answer = formAnswer(asked, accept({ count: 2 }))
    expect(answer).to.deep.equal({ approvalId: 'q', approved: true, value: { count: 2 } })
  })

  it('have choices with titles, lists of choices and formats, as forms of MCP say them', () => {
    const choices = [{ const: 'a', title: 'First', hidden: true }]
    const shown = [{ const: 'a', title: 'First' }]
    const properties = {
      titled: { type: 'string', oneOf: choices },
      named: { type: 'string', enum: ['a'], enumNames: ['First'] },
      list: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 },
      titledList: { type: 'array', items: { anyOf: choices } },
      mail: { type: 'string', format: 'email' },
      other: { type: 'string', format: 'regex' },
    }
    const asked = question({ question: 'Which?', schema: { type: 'object', properties } })
    expect(formFor(asked).requestedSchema.properties).to.deep.equal({
      ...properties,
      titled: { type: 'string', oneOf: shown },
      titledList: { type: 'array', items: { anyOf: shown } },
      other: { type: 'string' },
    })
  })

  it('take JSON for an answer that no form of MCP can ask for', () => {
    const schema = { type: 'array', items: { type: 'number' } }
    const asked = question({ question: 'Which?', schema })
    expect(formFor(asked).requestedSchema.properties).to.have.all.keys('answer')
    expect(formAnswer(asked, accept({ answer: '[1, 2]' }))?.value).to.deep.equal([1, 2])
    expect(formAnswer(asked, accept({}))?.value).to.equal(undefined)
  })

  it('deny what nobody can be asked', () => {
    expect(unaskable(call)).to.deep.include({ approvalId: 'c', approved: false })
  })
})
