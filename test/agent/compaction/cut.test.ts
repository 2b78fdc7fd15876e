import { expect } from 'chai'
import fc from 'fast-check'
import { findCut } from '../../../src/agent/compaction/cut.ts'
import type { Message, Part } from '../../../src/plugin/events/index.ts'

const LONG = 'word '.repeat(1200)

const text = (role: Message['role'], of = LONG): Message => ({
  role,
  parts: [{ type: 'text', text: of }],
})
const call = (callId: string): Part => ({ type: 'tool-call', callId, name: 't', input: {} })
const result = (callId: string): Part => ({ type: 'tool-result', callId, name: 't', output: 1 })

describe('findCut', () => {
  it('AW-42 keeps the latest user message and everything after it', () => {
    const messages = [text('user'), text('assistant'), text('user'), text('assistant')]
    expect(findCut(messages, 0)).to.equal(2)
    expect(findCut([...messages, text('user')], 0)).to.equal(4)
  })

  it('AW-42 keeps the newest messages that the policy names', () => {
    const messages = [
      text('user'),
      text('assistant'),
      text('user'),
      text('assistant'),
      text('user'),
    ]
    expect(findCut(messages, 2)).to.equal(3)
    expect(findCut(messages, 3)).to.equal(2)
    expect(findCut(messages, 5)).to.equal(undefined)
  })

  it('AW-42 never cuts between a call and its results, or before an open call is answered', () => {
    const calls: Message = { role: 'assistant', parts: [call('a'), call('b')] }
    const first: Message = { role: 'tool', parts: [result('a')] }
    const second: Message = { role: 'tool', parts: [result('b')] }
    const start = [text('user'), text('assistant')]
    expect(findCut([...start, calls, first, second, text('user')], 1)).to.equal(5)
    expect(findCut([...start, calls, first, second, text('user')], 2)).to.equal(2)
    expect(findCut([...start, calls, first, text('user')], 0)).to.equal(2)
  })

  it('AW-42 replaces at least two messages and 1,024 estimated tokens', () => {
    expect(findCut([text('user'), text('user')], 0)).to.equal(undefined)
    const short = [text('user', 'a'), text('assistant', 'b'), text('user', 'c')]
    expect(findCut(short, 0)).to.equal(undefined)
    expect(findCut([text('user', 'a'), text('assistant'), text('user')], 0)).to.equal(2)
    const system = [text('system'), text('user', 'a'), text('user', 'b')]
    expect(findCut(system, 0)).to.equal(undefined)
  })

  it('AW-42 is safe for any history', () => {
    fc.assert(
      fc.property(fc.array(anyMessage(), { maxLength: 40 }), fc.nat(5), (messages, suffix) => {
        const cut = findCut(messages, suffix)
        if (cut === undefined) return
        expect(cut).to.be.at.most(messages.length - suffix)
        expect(cut).to.be.at.most(messages.findLastIndex(({ role }) => role === 'user') >>> 0)
        const [before, after] = [messages.slice(0, cut), messages.slice(cut)]
        const closed = new Set(idsOf(before, 'tool-result'))
        for (const id of idsOf(before, 'tool-call')) expect(closed.has(id)).to.equal(true)
        const known = new Set(idsOf(after, 'tool-call'))
        for (const id of idsOf(after, 'tool-result')) {
          if (idsOf(before, 'tool-call').includes(id)) expect(known.has(id)).to.equal(true)
        }
      }),
    )
  })
})

function idsOf(messages: readonly Message[], type: 'tool-call' | 'tool-result'): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === type ? [part.callId] : [])),
  )
}

function anyMessage(): fc.Arbitrary<Message> {
  const ids = fc.integer({ min: 0, max: 6 }).map(String)
  return fc.oneof(
    fc.constant(text('user')),
    fc.constant(text('assistant')),
    fc
      .array(ids.map(call), { minLength: 1, maxLength: 3 })
      .map((parts): Message => ({ role: 'assistant', parts })),
    fc
      .array(ids.map(result), { minLength: 1, maxLength: 3 })
      .map((parts): Message => ({ role: 'tool', parts })),
  )
}
