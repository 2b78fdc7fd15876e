import { expect } from 'chai'
import { contextIdFor, messageFor } from '../../src/a2a/message.ts'
import type { Message, Part } from '../../src/plugin/index.ts'

const CONTEXT = contextIdFor('ada talk', 'https://far.test/a')
const text = (words: string, more: object = {}): Part => ({ type: 'text', text: words, ...more })
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
const marked = (words: string, mark: object): Message => ({
  role: 'assistant',
  parts: [text(words, { providerMetadata: { a2a: mark } })],
})

/** The texts of a message for an agent. */
function textsOf(messages: readonly Message[], context = CONTEXT) {
  const { parts, contextId, taskId } = messageFor({ messages }, context || undefined)
  const texts = parts.map(({ content }) =>
    content?.$case === 'text' ? content.value : content?.$case,
  )
  return { texts, contextId, taskId }
}

describe('the message for a remote agent', () => {
  it('has the context of its conversation, which only its owner has', () => {
    expect(CONTEXT).to.match(/^[\da-f]{32}$/)
    expect(contextIdFor('bob talk', 'https://far.test/a')).to.not.equal(CONTEXT)
    expect(contextIdFor('ada talk', 'https://far.test/b')).to.not.equal(CONTEXT)
    expect(contextIdFor('ada talk', 'https://far.test/a', 't')).to.not.equal(CONTEXT)
    expect(contextIdFor('ada talk', 'https://far.test/a')).to.equal(CONTEXT)
  })

  it('is the message of the user alone, at the beginning and where the agent has the rest', () => {
    expect(textsOf([user(text('Hi'))])).to.deep.equal({
      texts: ['Hi'],
      contextId: CONTEXT,
      taskId: '',
    })
    const talk = [user(text('Hi')), marked('Hello', { contextId: CONTEXT }), user(text('And?'))]
    expect(textsOf(talk).texts).to.deep.equal(['And?'])
  })

  it('answers the task that waits', () => {
    const asked = marked('Which?', { contextId: CONTEXT, taskId: 't1' })
    expect(textsOf([user(text('Hi')), asked, user(text('Red'))]).taskId).to.equal('t1')
    const forged = marked('Which?', { contextId: 'of another', taskId: 't1' })
    expect(textsOf([user(text('Hi')), forged, user(text('Red'))]).taskId).to.equal('')
  })

  it('has what the agent does not have before it, without files and calls', () => {
    const talk: Message[] = [
      { role: 'system', parts: [text('Be nice.')] },
      user(text('Hi'), { type: 'file', mediaType: 'image/png', data: 'AAAA' }),
      { role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', name: 'n', input: {} }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'c', name: 'n', output: 1 }] },
      { role: 'assistant', parts: [text('Hello')] },
      user(text('And?')),
    ]
    const before =
      'Earlier in this conversation:\n\nInstructions: Be nice.\n\nUser: Hi\n\nAssistant: Hello\n\nThe message to answer:\n\n'
    for (const context of [CONTEXT, '']) {
      expect(textsOf(talk, context).texts).to.deep.equal([before, 'And?'])
    }
    const elsewhere = [
      user(text('Hi')),
      marked('Hello', { contextId: 'other' }),
      user(text('And?')),
    ]
    expect(textsOf(elsewhere).texts).to.have.length(2)
    expect(textsOf([user(text('Hi'))], '').contextId).to.equal('')
  })

  it('has files, by their bytes or their address', () => {
    const { parts } = messageFor(
      {
        messages: [
          user(
            { type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' },
            { type: 'file', mediaType: 'image/png', url: 'https://a.test/a.png' },
            { type: 'data', name: 'x', data: 1 },
          ),
        ],
      },
      undefined,
    )
    expect(parts.map(({ content }) => content)).to.deep.equal([
      { $case: 'raw', value: Buffer.from([0, 0, 0]) },
      { $case: 'url', value: 'https://a.test/a.png' },
    ])
    expect(parts[0]).to.include({ filename: 'a.png', mediaType: 'image/png' })
  })

  it('is another one each time', () => {
    const { messageId } = messageFor({ messages: [user(text('Hi'))] }, CONTEXT)
    expect(messageFor({ messages: [user(text('Hi'))] }, CONTEXT).messageId).to.not.equal(messageId)
  })
})
