import { expect } from 'chai'
import fc from 'fast-check'
import { repaired } from '../../../features/trim-history/repair.ts'
import { checkPairs, type Message, type ToolCallPart } from '../../../src/plugin/events/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { call, disorder, result, step, text, turns } from './conversations.ts'

function repair(messages: readonly Message[]) {
  const told: ToolCallPart[] = []
  return { made: repaired(messages, (one) => told.push(one)), told }
}

const calling = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  parts: ids.map((id) => call(id)),
})

describe('a history with calls that have no result', () => {
  it('AW-44 gets a result for each that says so, beside the results that there are', () => {
    const done: Message = { role: 'tool', parts: [result('b')] }
    const messages = [text('user', 'Go'), calling('a', 'b'), done, text('user', 'And?')]
    const { made, told } = repair(messages)
    expect(told.map(({ callId }) => callId)).to.deep.equal(['a'])
    expect(made.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'user'])
    const [answer, own] = made[2]?.parts ?? []
    expect(answer).to.deep.include({
      type: 'tool-result',
      callId: 'a',
      name: 'look',
      isError: true,
    })
    expect(own).to.equal(done.parts[0])
  })

  it('AW-44 gets a message of results where none follows', () => {
    const { made } = repair([text('user', 'Go'), calling('a'), text('user', 'Well?'), calling('b')])
    expect(made.map(({ role }) => role)).to.deep.equal([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
      'tool',
    ])
  })

  it('AW-44 loses results without a call, and keeps what stands beside them', () => {
    const stray: Message = { role: 'tool', parts: [result('gone')] }
    const half: Message = { role: 'tool', parts: [result('gone'), result('a')] }
    const { made } = repair([stray, calling('a'), half])
    expect(made).to.deep.equal(step('a'))
  })

  it('AW-44 loses a call that its message repeats', () => {
    const { made } = repair([calling('a', 'a'), ...step('a').slice(1)])
    expect(made).to.deep.equal(step('a'))
  })

  it('AW-44 changes nothing in a whole history', () =>
    fc.assert(
      fc.property(turns, (messages) => {
        expect(repair(messages).made).to.equal(messages)
      }),
    ))

  it('AW-44 is a whole history then, whatever it was', () =>
    fc.assert(
      fc.property(disorder, (messages) => {
        const { made } = repair(messages)
        checkPairs(made)
        expect(repair(made).made).to.equal(made)
        const said = (all: readonly Message[]) =>
          all.flatMap(({ parts }) => parts.filter(({ type }) => !type.startsWith('tool-')))
        expect(said(made)).to.deep.equal(said(messages))
      }),
      { numRuns: propertyRuns(500) },
    ))
})
