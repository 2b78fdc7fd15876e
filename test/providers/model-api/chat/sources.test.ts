import { expect } from 'chai'
import { sent, streamedChunks } from '../../openai-compatible/asking.ts'

const choice = (text: string, index = 0) => ({
  index,
  finish_reason: 'stop',
  message: { role: 'assistant', content: text },
})

describe('sources beside the choices of chat completions', () => {
  const lists = {
    citations: ['https://a.test/', 'https://b.test/'],
    search_results: [
      { title: 'B', url: 'https://b.test/', date: null },
      { title: 'C', url: 'https://c.test/' },
    ],
  }
  const expected = [
    { type: 'source', url: 'https://a.test/' },
    { type: 'source', url: 'https://b.test/', title: 'B' },
    { type: 'source', url: 'https://c.test/', title: 'C' },
  ]

  it('have the titles of the pages that were found', async () => {
    const { messages } = await sent({ id: 'c', choices: [choice('It rains.')], ...lists })
    expect(messages[0]?.parts.slice(1)).to.deep.equal(expected)
  })

  it('have them in streams too', async () => {
    const delta = { content: 'It rains.' }
    const { result } = await streamedChunks([
      { id: 'c', choices: [{ index: 0, delta, finish_reason: null }], ...lists },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...lists },
    ])
    expect(result.messages[0]?.parts.slice(1)).to.deep.equal(expected)
  })
})

describe('chat completions with several choices', () => {
  it('are the choice with the index 0, wherever it is in the list', async () => {
    const { messages } = await sent({ id: 'c', choices: [choice('second', 1), choice('first')] })
    expect(messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'first' }])
  })

  it('are the first one where no choice has the index 0', async () => {
    const { messages } = await sent({ id: 'c', choices: [choice('only', 1)] })
    expect(messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'only' }])
  })
})
