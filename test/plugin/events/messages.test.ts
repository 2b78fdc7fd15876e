import { expect } from 'chai'
import { type Message, textOf } from '../../../src/plugin/events/index.ts'

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
