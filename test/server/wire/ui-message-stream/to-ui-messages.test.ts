import { expect } from 'chai'
import type { Message } from '../../../../src/core/index.ts'
import { toUiMessages } from '../../../../src/server/wire/ui-message-stream/index.ts'
import type { KnownApproval } from '../../../../src/server/wire/ui-message-stream/ui-parts.ts'
import { factsOf } from '../runs.ts'

const HELLO: Message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
const INPUT = { a: 1 }
const CALL: Message = {
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: 'c1', name: 'add', input: INPUT }],
  metadata: { finishReason: 'tool-calls', usage: { input: 1, output: 2 } },
}
const PART = { type: 'dynamic-tool', toolName: 'add', toolCallId: 'c1', input: INPUT }

function partsOf(messages: readonly Message[], history = {}): readonly object[] {
  return toUiMessages(messages, history).at(-1)!.parts
}

describe('a history as UI messages', () => {
  it('has one message for all that is said until somebody else speaks', () => {
    const result = { type: 'tool-result', callId: 'c1', name: 'add', output: 2 } as const
    const messages = toUiMessages([
      HELLO,
      { ...CALL, id: 'a1' },
      { role: 'tool', parts: [result] },
      {
        role: 'assistant',
        parts: [{ type: 'text', text: '2' }],
        metadata: { finishReason: 'stop', usage: { input: 3, output: 4 } },
      },
      { role: 'user', parts: [{ type: 'text', text: 'Thanks' }] },
    ])
    expect(messages).to.deep.equal([
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
      {
        id: 'a1',
        role: 'assistant',
        metadata: { finishReason: 'stop', usage: { input: 4, output: 6 } },
        parts: [
          { type: 'step-start' },
          { ...PART, state: 'output-available', output: 2 },
          { type: 'step-start' },
          { type: 'text', text: '2', state: 'done' },
        ],
      },
      { id: 'message-3', role: 'user', parts: [{ type: 'text', text: 'Thanks' }] },
    ])
  })

  it('has the id and the metadata of the run that wrote a message', () => {
    const [, answer] = toUiMessages([HELLO, CALL], { factsOf: () => factsOf() })
    expect(answer).to.deep.include({ id: 'message-1' })
    expect(answer?.metadata).to.deep.equal({
      agent: 'published',
      runId: 'run-1',
      createdAt: 1_700_000_000_123,
      finishReason: 'tool-calls',
      usage: { input: 1, output: 2 },
    })
  })

  it("has a call of the client's own tool by its name", () => {
    expect(partsOf([CALL], { factsOf: () => factsOf('add') })[1]).to.deep.equal({
      type: 'tool-add',
      toolCallId: 'c1',
      input: INPUT,
      state: 'input-available',
    })
  })

  it('has the answer to a question for the output of its call until the call has one', () => {
    const asked = { approvalId: 'a1', callId: 'c1', name: 'add', input: INPUT, isQuestion: true }
    const partWith = (...approvals: readonly KnownApproval[]) =>
      partsOf([CALL], { approvals, sdk: 7 })[1]
    const open = { ...PART, state: 'input-available' }
    expect(partWith(asked)).to.deep.equal(open)
    const answered = { ...asked, answer: { approved: true, value: 'Blue' } }
    expect(partWith(answered)).to.deep.equal({ ...PART, state: 'output-available', output: 'Blue' })
    const declined = { ...asked, answer: { approved: false, reason: 'Not now.' } }
    const refused = { ...PART, state: 'output-error', errorText: 'Not now.' }
    expect(partWith(declined)).to.deep.equal(refused)
    const again = { ...asked, approvalId: 'a2' }
    expect(partWith(answered, again)).to.deep.equal(open)
    const allowed = { approvalId: 'a0', callId: 'c1', name: 'add', input: INPUT }
    expect(partWith({ ...allowed, answer: { approved: true } }, asked)).to.deep.equal(open)
  })

  it('asks for what waits for an approval', () => {
    const asked = { approvalId: 'a1', callId: 'c1', name: 'add', input: INPUT }
    expect(partsOf([CALL], { approvals: [asked], sdk: 6 }).slice(1)).to.deep.equal([
      { ...PART, state: 'approval-requested', approval: { id: 'a1' } },
    ])
    expect(partsOf([CALL], { approvals: [asked] }).slice(1)).to.deep.equal([
      { ...PART, state: 'input-available' },
      {
        type: 'data-approval',
        id: 'a1',
        data: {
          approvalId: 'a1',
          toolCallId: 'c1',
          toolName: 'add',
          input: INPUT,
          state: 'required',
        },
      },
    ])
  })

  it('shows arguments that are no JSON as an error', () => {
    const parts = [{ type: 'tool-call', callId: 'c1', name: 'add', input: '{"a":' }] as const
    expect(partsOf([{ role: 'assistant', parts }])[1]).to.deep.include({
      state: 'output-error',
      errorText: 'The arguments are not valid JSON.',
    })
  })

  it('gives back files with their names', () => {
    const file = { type: 'file', mediaType: 'text/plain', data: 'aGk=', name: 'hi.txt' } as const
    expect(partsOf([{ role: 'user', parts: [file] }])).to.deep.equal([
      {
        type: 'file',
        mediaType: 'text/plain',
        url: 'data:text/plain;base64,aGk=',
        filename: 'hi.txt',
      },
    ])
    expect(partsOf([{ role: 'assistant', parts: [file] }])[1]).to.deep.include({
      filename: 'hi.txt',
      providerMetadata: { braidwork: { filename: 'hi.txt' } },
    })
  })
})
