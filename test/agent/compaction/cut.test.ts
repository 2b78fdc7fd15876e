import { expect } from 'chai'
import fc from 'fast-check'
import { findCut } from '../../../src/agent/compaction/cut.ts'
import type { Message, Part } from '../../../src/plugin/events/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'

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
        const latest = messages.findLastIndex(({ role }) => role === 'user')
        if (latest >= 0) expect(cut).to.be.at.most(latest)
        expect(openAt(messages, cut)).to.deep.equal([])
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})

/** The calls that have no result before a place. */
function openAt(messages: readonly Message[], cut: number): readonly string[] {
  const open = new Set<string>()
  for (const part of messages.slice(0, cut).flatMap(({ parts }) => parts)) {
    if (part.type === 'tool-call') open.add(part.callId)
    if (part.type === 'tool-result') open.delete(part.callId)
  }
  return [...open]
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
