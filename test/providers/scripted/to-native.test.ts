import { expect } from 'chai'
import { toRequest } from '../../../providers/scripted/to-native.ts'
import type { Context, Part } from '../../../src/plugin/index.ts'

const SETTINGS = { script: [], delay_ms: 0 }

/** What a part of an assistant's message becomes in a native request. */
function contentOf(part: Part): unknown {
  const context = { config: {}, local: new Map(), warn: expect.fail } as unknown as Context
  const { messages } = toRequest([{ role: 'assistant', parts: [part] }], SETTINGS, context)
  expect(messages).to.have.length(1)
  expect(messages[0]?.role).to.equal('assistant')
  return messages[0]?.content
}

const CALL = { type: 'tool-call', callId: 'c', name: 'search', input: { query: 'a' } } as const
const RESULT = { type: 'tool-result', callId: 'c', name: 'search', output: ['b'] } as const
const OWN = { providerExecuted: true, providerMetadata: { scripted: { id: 'c' } } } as const
const FOREIGN = { providerExecuted: true, providerMetadata: { other: { id: 'c' } } } as const

describe('messages as the scripted provider sends them', () => {
  it('have calls of the host and their results', () => {
    expect(contentOf(CALL)).to.deep.equal([
      { type: 'tool_call', id: 'c', name: 'search', arguments: '{"query":"a"}' },
    ])
    expect(contentOf({ ...RESULT, isError: true })).to.deep.equal([
      { type: 'tool_result', id: 'c', name: 'search', output: ['b'], is_error: true },
    ])
  })

  it('have calls that this provider ran itself, and their results', () => {
    expect(contentOf({ ...CALL, ...OWN })).to.deep.equal([
      {
        type: 'tool_call',
        id: 'c',
        name: 'search',
        arguments: '{"query":"a"}',
        provider_executed: true,
      },
    ])
    expect(contentOf({ ...RESULT, ...OWN })).to.deep.equal([
      { type: 'tool_result', id: 'c', name: 'search', output: ['b'] },
    ])
  })

  it('tell in words of calls that another provider ran itself', () => {
    expect(contentOf({ ...CALL, ...FOREIGN })).to.deep.equal([
      { type: 'text', text: '[search was called with {"query":"a"}]' },
    ])
    expect(contentOf({ ...RESULT, ...FOREIGN })).to.deep.equal([
      { type: 'text', text: '[search gave ["b"]]' },
    ])
  })

  it('have reasoning of this provider, and not that of another', () => {
    const thought = { type: 'reasoning', text: 'Hm.' } as const
    expect(contentOf({ ...thought, providerMetadata: { scripted: { id: 'r' } } })).to.deep.equal([
      { type: 'reasoning', text: 'Hm.', id: 'r' },
    ])
    expect(contentOf({ ...thought, providerMetadata: { other: { id: 'r' } } })).to.deep.equal([])
  })
})
