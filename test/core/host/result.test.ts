import { expect } from 'chai'
import { hostCalls } from '../../../src/core/host/result.ts'
import { createHost, type Result } from '../../../src/core/index.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import { defineProvider } from '../../../src/plugin/index.ts'

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

/** An error code, taken from the type of a result: without its error, a failed one would not compile. */
function codeOf(result: Result): string | undefined {
  return result.status === 'done' ? result.error : result.error.code
}

describe('the result of a request', () => {
  /** The warnings of an answer of messages with these metadata. */
  const warned = async (...metadata: readonly object[]) => {
    const messages = metadata.map((each) => ({ role: 'assistant', parts: [], metadata: each }))
    const odd = defineProvider({
      kind: 'provider',
      name: 'odd',
      call: () => [[], messages as unknown as readonly Message[], {}, {}],
    })
    await using host = await createHost({ plugins: [odd] })
    return (await host.send({}, 'go')).warnings
  }

  it('warns of a finish reason and of counts that the host does not know', async () => {
    const usage = { input_tokens: 5, output: '3', input: 1, raw: { any: 1 }, cacheRead: undefined }
    const [reason = '', counts = '', ...others] = await warned({ finishReason: 'end_turn', usage })
    expect(reason).to.include('finishReason: "end_turn" counts as "other"; known are stop, length')
    expect(counts).to.include('usage: "input_tokens", "output" do not count')
    expect(others).to.deep.equal([])
    expect(await warned({ finishReason: 'length', usage: { input: 1, raw: 5 } })).to.deep.equal([])
    expect(await warned({ usage: {} })).to.deep.equal([])
    expect(await warned({})).to.deep.equal([])
  })

  it('warns of those that it takes, also where they are in several messages', async () => {
    const [reason = '', counts = '', ...others] = await warned(
      { finishReason: 'over', usage: { tokens: 9 } },
      { finishReason: 'end_turn' },
      { usage: { input_tokens: 5 } },
      { model: 'odd-1' },
    )
    expect(reason).to.include('finishReason: "end_turn"')
    expect(counts).to.include('usage: "input_tokens" do not count')
    expect(others).to.deep.equal([])
  })

  const parrot = defineProvider({ kind: 'provider', name: 'parrot', call: () => [[], [], {}, {}] })

  it('has its error, also by its type, where the request failed or was aborted', async () => {
    const host = await createHost({ plugins: [parrot] })
    try {
      const [done, failed, aborted] = await Promise.all([
        host.stream({ provider: 'parrot' }, 'Hi').result,
        host.stream({ provider: 'parot' }, 'Hi').result,
        host.stream({ provider: 'parrot' }, 'Hi', { signal: AbortSignal.abort() }).result,
      ])
      expect([done, failed, aborted].map(codeOf)).to.deep.equal([
        undefined,
        'PROVIDER_UNKNOWN',
        'ABORTED',
      ])
      expect(done).not.to.have.property('error')
    } finally {
      await host.close()
    }
  })
})
