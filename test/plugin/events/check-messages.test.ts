import { expect } from 'chai'
import fc from 'fast-check'
import { HostError } from '../../../src/plugin/errors.ts'
import { checkPairs, SealedMessages, toMessages } from '../../../src/plugin/events/index.ts'
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

  it('says what a message of another format needs', () => {
    const fault = faultOf([{ role: 'user', content: 'Hello' }])
    expect(fault?.message).to.include('[{ type: "text", text: "Hello" }]')
  })

  it('shows the unknown role, and names the known ones', () => {
    expect((faultOf([{ role: 'robot', parts: [] }]) as Error).message).to.include(
      'unknown role "robot"; roles are system, user, assistant, tool',
    )
  })

  it('says what a part must be', () => {
    expect((faultOf([user('hi')]) as Error).message).to.include(
      'a part must be an object with a "type"',
    )
  })

  it('says that a value is missing, and that a text must be one', () => {
    const { output: _, ...without } = result
    expect(faultOf([user(without)])?.message)
      .to.include('"output" of a "tool-result" part is missing')
      .and.not.to.include('any')
    const numbered = faultOf([user({ type: 'text', text: 5 })])
    expect(numbered?.message).to.include('is no string')
  })

  it('says in which message the fault is, and what to do', () => {
    const given = { ...result, output: { at: new Date(0) } }
    expect(faultOf([user(text), { role: 'tool', parts: [given] }])?.message).to.equal(
      'The messages are not valid at /1/parts/0/output/at: an instance of the class "Date" is not JSON; use a text or its fields',
    )
    expect(faultOf([user(text), { role: 'user', content: 'x' }])?.message)
      .to.match(/^The messages are not valid at \/1\/parts: "parts" must be an array of parts/)
      .and.include('a message has no "content"')
    expect(faultOf([user(text), { role: 'tool', parts: [{ ...result, output: undefined }] }]))
      .to.have.property('message')
      .that.equals(
        'The messages are not valid at /1/parts/0/output: "output" of a "tool-result" part is missing',
      )
  })

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

describe('SealedMessages', () => {
  const message = () => user({ type: 'data', name: 'x', data: { list: [1, { a: null }] } })

  it('gives equal messages, which toMessages returns as they are', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const sealed = new SealedMessages().with(messages)
        expect(sealed).to.deep.equal(messages)
        expect(toMessages(sealed)).to.equal(sealed)
      }),
    )
  })

  it('adds messages and keeps those before', () => {
    const messages = new SealedMessages()
    const [first] = messages.with([message()])
    const both = messages.with([user(text)])
    expect(both).to.deep.equal([message(), user(text)])
    expect(both[0]).to.equal(first)
  })

  it('freezes its copies with everything in them, and nothing that it was given', () => {
    const given = [message()]
    const sealed = new SealedMessages().with(given) as unknown as { parts: { data: unknown }[] }[]
    const data = sealed[0]?.parts[0]?.data as { list: unknown[] }
    for (const value of [sealed, sealed[0], sealed[0]?.parts, data, data.list, data.list[1]]) {
      expect(Object.isFrozen(value)).to.equal(true)
    }
    given[0]?.parts.push(text)
    expect(sealed[0]?.parts).to.have.length(1)
  })

  it('has pairs as long as each call has its result, whatever is added later', () => {
    const call = { type: 'tool-call', callId: 'c', name: 't', input: {} }
    const result = { type: 'tool-result', callId: 'c', name: 't', output: 1 }
    const messages = new SealedMessages()
    checkPairs(messages.with([user(text)]))
    const open = messages.with([{ role: 'assistant', parts: [call] }])
    expect(() => checkPairs(open))
      .to.throw(HostError)
      .that.includes({ pointer: '/1/parts/0' })
    const answered = messages.with([{ role: 'tool', parts: [result] }])
    checkPairs(answered)
    expect(() => checkPairs(answered.toSpliced(1, 1)))
      .to.throw(HostError)
      .that.includes({ pointer: '/1/parts/0' })
    const stray = messages.with([{ role: 'tool', parts: [result] }])
    expect(() => checkPairs(stray))
      .to.throw(HostError)
      .that.includes({ pointer: '/3/parts/0' })
    const later = messages.with([user(text)])
    expect(() => checkPairs(later))
      .to.throw(HostError)
      .that.includes({ pointer: '/3/parts/0' })
    checkPairs(answered)
  })

  it('refuses a fault, and says where it is in the whole list', () => {
    const messages = new SealedMessages()
    messages.with([user(text), user(text)])
    expect(() => messages.with([user(text), user({ type: 'image' })]))
      .to.throw(HostError)
      .that.includes({ code: 'MESSAGES_INVALID', pointer: '/3/parts/0/type' })
    expect(messages).to.have.length(2)
  })

  it('checks the copy that it seals, whatever a getter answers after it', () => {
    for (let right = 0; right < 8; right++) {
      let read = 0
      const get = () => (++read > right ? 5 : [text])
      const sly = Object.defineProperty({ role: 'user' }, 'parts', { enumerable: true, get })
      const seal = () => new SealedMessages().with([sly])
      if (right < 1) expect(seal, `${right} right answers`).to.throw()
      else expect(seal()).to.deep.equal([user(text)])
    }
  })

  it('is not taken in by a frozen list of somebody else', () => {
    expect(() => toMessages(Object.freeze([{ role: 'robot' }]))).to.throw(HostError)
  })
})
