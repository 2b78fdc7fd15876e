import { expect } from 'chai'
import { openCalls, settleCalls } from '../../src/agent/settle-calls.ts'
import type { Message } from '../../src/plugin/events/index.ts'

const call = (callId: string) => ({ type: 'tool-call', callId, name: 'look', input: {} }) as const
const HISTORY: readonly Message[] = [
  { role: 'assistant', parts: [call('a'), { ...call('b'), providerExecuted: true }, call('c')] },
  { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', name: 'look', output: 'seen' }] },
]

describe('a call that will never have a result', () => {
  it('LR-13 LT-05 is cancelled, with the reason for the model and the class for programs', () => {
    const settled = settleCalls(openCalls(HISTORY), 'The run was stopped.')
    expect(settled).to.deep.equal({
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'c',
          name: 'look',
          output: 'The run was stopped.',
          isError: true,
          error: { class: 'canceled', retryable: false },
        },
      ],
    })
    expect(settleCalls([], 'none')).to.equal(undefined)
  })
})
