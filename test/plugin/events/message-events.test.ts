import { expect } from 'chai'
import fc from 'fast-check'
import {
  Accumulator,
  EventChecker,
  eventsOf,
  eventsOfAll,
} from '../../../src/plugin/events/index.ts'
import { assistantMessage } from '../../helpers/arbitraries.ts'

function gather(events: Parameters<Accumulator['add']>[0][]) {
  const accumulator = new Accumulator()
  for (const event of events) accumulator.add(event)
  return accumulator.messages()
}

describe('eventsOf', () => {
  it('CL-45 gives each part of a message as start, one delta, end', () => {
    const events = eventsOf({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm', providerMetadata: { p: { signature: 's' } } },
        { type: 'text', text: 'yes' },
        { type: 'tool-call', callId: 'c1', name: 'add', input: { a: 1 } },
      ],
      metadata: { finishReason: 'tool-calls' },
    })
    expect(events).to.deep.equal([
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'hm' },
      { type: 'reasoning-end', id: '0', providerMetadata: { p: { signature: 's' } } },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'yes' },
      { type: 'text-end', id: '1' },
      { type: 'tool-call-start', id: 'c1', name: 'add' },
      { type: 'tool-call-delta', id: 'c1', delta: '{"a":1}' },
      { type: 'tool-call-end', id: 'c1', input: { a: 1 } },
      { type: 'metadata', metadata: { finishReason: 'tool-calls' } },
    ])
  })

  it('makes events that the accumulator turns back into the same message', () => {
    fc.assert(
      fc.property(assistantMessage, (message) => {
        const isNothing = message.parts.length === 0 && message.metadata === undefined
        expect(gather(eventsOf(message))).to.deep.equal(isNothing ? [] : [message])
      }),
    )
  })

  it('makes events that the checker lets pass', () => {
    fc.assert(
      fc.property(assistantMessage, (message) => {
        const checker = new EventChecker()
        for (const event of eventsOf(message)) checker.check(event)
        expect(checker.closing()).to.deep.equal([])
      }),
    )
  })
})

describe('eventsOfAll', () => {
  it('uses no id twice among several messages', () => {
    const message = { role: 'assistant', parts: [{ type: 'text', text: 'x' }] } as const
    const checker = new EventChecker()
    for (const event of eventsOfAll([message, message, message])) checker.check(event)
    expect(gather(eventsOfAll([message, message]))[0]?.parts).to.have.length(2)
  })
})
