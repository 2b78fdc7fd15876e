import { expect } from 'chai'
import { usageOf } from '../../../../src/server/wire/anthropic-messages/blocks.ts'

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
