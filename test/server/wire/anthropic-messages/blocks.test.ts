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

  it('names the sequence at which it stopped', () => {
    const metadata = { anthropic: { stopSequence: 'END' } }
    expect(stopOf('stop', 0, metadata)).to.deep.equal({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    })
    expect(stopOf('length', 0, metadata)).to.include({ stop_sequence: null })
  })
})
