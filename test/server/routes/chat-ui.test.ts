import { expect } from 'chai'
import { chatBody, Served, user } from './served.ts'

const CALL = { name: 'calculate', input: { expression: '6 * 7' } }
const SCRIPT = [
  { when: { step: 1, equals: 'go' }, then: { text: 'I look.', tool_calls: [CALL] } },
  { then: { text: 'Done.' } },
]
const scripted = { script: SCRIPT, delay_ms: 0 }
const config = { tool_policy: { calculate: 'ask' }, settings: { scripted } } as const

describe('an approval that a page of the AI SDK 5 answers in a message of the user', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start({ models: { quick: { config } } })
  })
  afterEach(() => served.close())

  const ask = async (messages: readonly object[], more: object = {}) => {
    const body = chatBody('talk', messages, more)
    const { status, text } = await served.ask('/api/chat?sdk=5', { body })
    expect(status, text).to.equal(200)
    return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(String(data)))
  }

  /** Asks, and answers what is asked. Returns the id of the first response, and the chunks of the second. */
  async function answered(approved: boolean) {
    const first = await ask([user('u1', 'go')])
    const { messageId } = first.find(({ type }) => type === 'start')
    const { data } = first.find(({ type }) => type === 'data-approval')
    const { approvalId } = data
    const parts = [{ type: 'data-approval', data: { approvalId, approved } }]
    const answer = { id: messageId, role: 'assistant', parts: [{ type: 'text', text: 'I look.' }] }
    const messages = [user('u1', 'go'), answer, { id: 'u2', role: 'user', parts }]
    return { messageId, messages, chunks: await ask(messages) }
  }

  for (const approved of [true, false]) {
    it(`is followed by a message of its own, with the call before its result (${approved})`, async () => {
      const { messageId, chunks } = await answered(approved)
      const [start] = chunks
      expect(start.type).to.equal('start')
      expect(start.messageId).to.not.equal(messageId)
      const types = chunks.map(({ type }) => type)
      const called = types.indexOf('tool-input-available')
      expect(called).to.be.above(0)
      expect(chunks[called].input).to.deep.equal(CALL.input)
      const result = types.findIndex((type) => type.startsWith('tool-output-'))
      expect(result).to.be.above(called)
      expect(types).to.include('text-delta')
    })
  }

  it('is part of the same message in the history, whose answer can be given again by either id', async () => {
    const { messages, chunks, messageId } = await answered(true)
    expect((await served.history('talk')).map(({ role }) => role)).to.deep.equal([
      'user',
      'assistant',
    ])
    const last = { id: chunks[0].messageId, role: 'assistant', parts: [] }
    const more = { trigger: 'regenerate-message', messageId: last.id }
    const again = await ask([...messages, last], more)
    expect(again[0].messageId).to.not.equal(messageId)
    expect(again.some(({ type }) => type === 'data-approval')).to.equal(true)
  })
})
