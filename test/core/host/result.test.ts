import { expect } from 'chai'
import { hostCalls } from '../../../src/core/host/result.ts'
import type { Message } from '../../../src/plugin/events/index.ts'

const call = (callId: string, more: object = {}) =>
  ({ type: 'tool-call', callId, name: 'delete_all', input: {}, ...more }) as const

describe('the calls of an answer that the host runs', () => {
  it('are those of the assistant that the provider did not run itself', () => {
    const answer: readonly Message[] = [
      { role: 'assistant', parts: [call('own'), call('done', { providerExecuted: true })] },
      { role: 'tool', parts: [call('of a tool')] },
      { role: 'user', parts: [call('of a user')] },
    ]
    expect(hostCalls(answer).map(({ callId }) => callId)).to.deep.equal(['own'])
  })
})
