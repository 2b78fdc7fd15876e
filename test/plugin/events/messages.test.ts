import { expect } from 'chai'
import fc from 'fast-check'
import { HostError } from '../../../src/plugin/errors.ts'
import { checkPairs, type Message, textOf, toMessages } from '../../../src/plugin/events/index.ts'
import { conversation } from '../../helpers/arbitraries.ts'

function faultOf(input: unknown): HostError | undefined {
  try {
    checkPairs(toMessages(input))
    return undefined
  } catch (error) {
    return error as HostError
  }
}

const user = (...parts: unknown[]) => ({ role: 'user', parts })
const text = { type: 'text', text: 'hi' }
const call = { type: 'tool-call', callId: 'c', name: 'add', input: {} }
const result = { type: 'tool-result', callId: 'c', name: 'add', output: 3 }

describe('toMessages, and the check of its pairs', () => {
  it('takes a string as one user message with one text part', () => {
    expect(toMessages('hi')).to.deep.equal([user(text)])
  })

  it('gives messages back as they are', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(toMessages(messages)).to.equal(messages)
      }),
    )
  })

  const cyclic: { parts: unknown[]; role: string } = user(text)
  cyclic.parts.push({ type: 'data', name: 'x', data: cyclic })

  const FAULTS: readonly [what: string, input: unknown, pointer: string][] = [
    ['nothing', undefined, ''],
    ['an object', {}, ''],
    ['an empty string', '  ', ''],
    ['no message', [], ''],
    ['a message that is text', ['hi'], '/0'],
    [
      'a call whose id is open',
      [
        { role: 'assistant', parts: [call, call] },
        { role: 'tool', parts: [result] },
      ],
      '/0/parts/1',
    ],
    ['an unknown role', [{ role: 'robot', parts: [] }], '/0/role'],
    ['a message without parts', [{ role: 'user' }], '/0/parts'],
    ['parts that are text', [{ role: 'user', parts: 'hi' }], '/0/parts'],
    ['a part that is text', [user('hi')], '/0/parts/0'],
    ['an unknown part', [user(text, { type: 'image' })], '/0/parts/1/type'],
    [
      'a part named like a member of every object',
      [user({ type: 'constructor' })],
      '/0/parts/0/type',
    ],
    ['a text part without text', [user({ type: 'text' })], '/0/parts/0/text'],
    ['a file without data and url', [user({ type: 'file', mediaType: 'image/png' })], '/0/parts/0'],
    ['a call without input', [user({ ...call, input: undefined })], '/0/parts/0/input'],
    ['a result without a call', [user(text), { role: 'tool', parts: [result] }], '/1/parts/0'],
    ['a call without a result', [{ role: 'assistant', parts: [text, call] }], '/0/parts/1'],
    ['a result before its call', [{ role: 'tool', parts: [result] }, user(call)], '/0/parts/0'],
    ['a cycle', [cyclic], '/0/parts/1/data'],
    [
      'a number that JSON does not know',
      [user({ type: 'data', name: 'x', data: NaN })],
      '/0/parts/0/data',
    ],
    ['a hole', Object.assign([], { 0: user(text), 2: user(text) }), '/1'],
    [
      'a key "__proto__"',
      JSON.parse('[{"role":"user","parts":[],"__proto__":{}}]'),
      '/0/__proto__',
    ],
  ]
  for (const [what, input, pointer] of FAULTS) {
    it(`refuses ${what}, and says where`, () => {
      expect(faultOf(input)).to.include({ code: 'MESSAGES_INVALID', pointer })
    })
  }

  it('refuses whatever is no conversation with MESSAGES_INVALID, and with nothing else', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), (input) => {
        const fault = faultOf(input)
        expect(
          fault === undefined || (HostError.is(fault) && fault.code === 'MESSAGES_INVALID'),
        ).to.equal(true)
      }),
    )
  })

  it('lets a call that the provider ran stand beside its result, or without one', () => {
    const run = { ...call, providerExecuted: true }
    const answer = { role: 'assistant', parts: [run, { ...result, providerExecuted: true }, run] }
    expect(faultOf([answer])).to.equal(undefined)
  })

  it('lets a call id come again after its result', () => {
    const turn = [
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [result] },
    ]
    expect(faultOf([...turn, ...turn])).to.equal(undefined)
  })

  it('refuses data that is nested too deep, without overflowing', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown
    expect(faultOf([user({ type: 'data', name: 'x', data: deep })])?.message).to.include(
      'nested deeper',
    )
  })
})

describe('textOf', () => {
  it('joins the text parts of a message, and only those', () => {
    const message: Message = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'no' },
        { type: 'text', text: 'a' },
        { type: 'data', name: 'x', data: 1 },
        { type: 'text', text: 'b' },
      ],
    }
    expect(textOf(message)).to.equal('ab')
  })
})
