import { expect } from 'chai'
import { EventChecker } from '../../../src/plugin/events/index.ts'
import { ANSWERS, messagesOf } from '../../../src/testing/harness/answers.ts'

describe('the answers of the provider of the suite', () => {
  for (const [name, events] of Object.entries(ANSWERS))
    it(`are streams without a fault, and with something in each piece: ${name}`, () => {
      const checker = new EventChecker()
      for (const event of events) {
        checker.check(event)
        if ('delta' in event) expect(event.delta).to.not.equal('')
      }
      const parts = messagesOf(events).flatMap((message) => message.parts)
      expect(parts.length > 0).to.equal(name !== 'empty')
      for (const part of parts)
        if (part.type === 'text' || part.type === 'reasoning') expect(part.text).to.match(/\w/)
    })

  it('have metadata of their provider beside a text without any', () => {
    const [message] = messagesOf(ANSWERS['owned'] ?? [])
    const [thought, text] = message?.parts ?? []
    expect(thought?.providerMetadata).to.be.an('object')
    expect(text).to.deep.equal({ type: 'text', text: 'Tea is hot.' })
  })
})
