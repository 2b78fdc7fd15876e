import { expect } from 'chai'
import { stopOf, usageOf } from '../../../../src/server/wire/anthropic-messages/blocks.ts'

describe('the usage of an answer of the Messages API', () => {
  it('has the tokens of thinking, if they are known', () => {
    expect(usageOf({ input: 9, output: 5, reasoning: 3 })).to.deep.include({
      output_tokens: 5,
      output_tokens_details: { thinking_tokens: 3 },
    })
    expect(usageOf({ input: 9, output: 5 })).not.to.have.property('output_tokens_details')
  })

  it('tells cached tokens apart from the rest of the input', () => {
    expect(usageOf({ input: 9, cacheRead: 4, cacheWrite: 2 })).to.deep.equal({
      input_tokens: 3,
      cache_creation_input_tokens: 2,
      cache_read_input_tokens: 4,
      output_tokens: 0,
    })
  })

  it('has what only Anthropic reports, of all steps together', () => {
    const counts = { input_tokens: 1, cache_creation_input_tokens: 2 }
    const cache_creation = { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 1 }
    const server_tool_use = { web_search_requests: 2 }
    const step = { ...counts, cache_creation, server_tool_use, service_tier: 'standard' }
    const said = (raw: unknown) => ({ metadata: { usage: { raw } } })
    expect(usageOf({}, [said(step), said(step), {}])).to.deep.include({
      cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 2 },
      server_tool_use: { web_search_requests: 4 },
      service_tier: 'standard',
    })
    for (const raw of [
      undefined,
      { service_tier: 'flex', server_tool_use },
      { ...counts, cache_creation: 1 },
    ]) {
      expect(usageOf({}, [said(raw)])).to.deep.equal(usageOf({}))
    }
  })
})

describe('why an answer of the Messages API ended', () => {
  for (const [reason, told] of [
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content-filter', 'refusal'],
    ['tool-calls', 'tool_use'],
    ['error', 'end_turn'],
    ['other', 'end_turn'],
  ] as const) {
    it(`is "${told}" for "${reason}"`, () => {
      expect(stopOf(reason, 1, undefined)).to.deep.equal({ stop_reason: told, stop_sequence: null })
    })
  }

  it('is no use of tools where the client has seen no call', () => {
    expect(stopOf('tool-calls', 0, undefined)).to.include({ stop_reason: 'end_turn' })
  })

  for (const provider of ['anthropic', 'openai']) {
    it(`names the sequence at which ${provider} stopped`, () => {
      const metadata = { usage: {}, [provider]: { stopSequence: 'END' } }
      expect(stopOf('stop', 0, metadata)).to.deep.equal({
        stop_reason: 'stop_sequence',
        stop_sequence: 'END',
      })
      expect(stopOf('length', 0, metadata)).to.include({ stop_sequence: null })
    })
  }
})
