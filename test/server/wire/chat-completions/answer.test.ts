import { expect } from 'chai'
import type { PartialEvent } from '../../../../src/plugin/events/index.ts'
import { chatCompletionAnswer } from '../../../../src/server/wire/chat-completions/index.ts'
import { textEvents } from '../../../helpers/hosts.ts'
import { factsOf, runOf } from '../runs.ts'

const callEvents = (id: string, name: string, input: unknown): readonly PartialEvent[] => [
  { type: 'tool-call-start', id, name },
  { type: 'tool-call-end', id, input },
]

function messageOf(...events: readonly PartialEvent[]): unknown {
  const answer = chatCompletionAnswer(factsOf('look', 'write'))
  for (const event of runOf(events)) answer.add(event)
  const { status, body } = answer.answer()
  expect(status).to.equal(200)
  return (body as { choices: readonly [{ message: unknown }] }).choices[0].message
}

const called = (id: string, name: string, text: string) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

describe('a whole chat completion', () => {
  it('has the calls of the client, with their arguments as JSON', () => {
    const message = messageOf(
      ...callEvents('c1', 'look', { at: 1 }),
      ...callEvents('c2', 'write', []),
    )
    expect(message).to.deep.equal({
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [called('c1', 'look', '{"at":1}'), called('c2', 'write', '[]')],
    })
  })

  it('has arguments that are no JSON as the model wrote them', () => {
    const message = messageOf(...textEvents('Yes.'), ...callEvents('c1', 'look', '{"at": 1'))
    expect(message).to.deep.equal({
      role: 'assistant',
      content: 'Yes.',
      refusal: null,
      tool_calls: [called('c1', 'look', '{"at": 1')],
    })
  })

  it('has no call of a tool that the host ran', () => {
    expect(messageOf(...callEvents('c1', 'own', {}))).to.deep.equal({
      role: 'assistant',
      content: '',
      refusal: null,
    })
  })
})
