import { expect } from 'chai'
import { compactionPolicyOf } from '../../../src/agent/compaction/index.ts'

describe('compactionPolicyOf', () => {
  it('AW-40 compacts by itself only with a threshold, and not where the section says off', () => {
    const limits = { autocompact_threshold: 1000 }
    expect(compactionPolicyOf().isAutomatic).to.equal(false)
    expect(compactionPolicyOf({ mode: 'background' }).isAutomatic).to.equal(false)
    expect(compactionPolicyOf({}, limits)).to.deep.include({ isAutomatic: true, threshold: 1000 })
    expect(compactionPolicyOf({ mode: 'off' }, limits).isAutomatic).to.equal(false)
  })

  it('AW-40 narrows the threshold to what the policy and the model have', () => {
    const limits = { autocompact_threshold: 500_000 }
    expect(compactionPolicyOf({}, limits).threshold).to.equal(200_000 - 16_384)
    const small = { contextWindow: 8000, maxOutputTokens: 2000 }
    expect(compactionPolicyOf({}, limits, small).threshold).to.equal(6000)
    const endless = { contextWindow: 8000, maxOutputTokens: 8000 }
    expect(compactionPolicyOf({}, limits, endless).threshold).to.equal(4000)
    const narrow = { ...limits, max_context_tokens: 5000, max_output_tokens: 1000 }
    expect(compactionPolicyOf({}, narrow, small).threshold).to.equal(4000)
  })

  it('AW-40 ignores a window that is unknown, zero or no number', () => {
    const limits = { autocompact_threshold: 1000 }
    for (const contextWindow of [0, -1, Number.NaN]) {
      expect(compactionPolicyOf({}, limits, { contextWindow }).threshold).to.equal(1000)
    }
  })

  it('AW-40 gives requests for summaries the window of the model that writes them', () => {
    const large = { contextWindow: 100_000, maxOutputTokens: 10_000, taken: 1000 }
    expect(compactionPolicyOf({}, {}, large)).to.include({ room: 89_000, summaryRoom: 89_000 })
    const summary = { contextWindow: 8000, maxOutputTokens: 2000 }
    const policy = compactionPolicyOf({}, {}, { ...large, summary })
    expect(policy).to.include({ room: 89_000, summaryRoom: 5000 })
    const unknown = compactionPolicyOf({}, {}, { ...large, summary: {} })
    expect(unknown).to.include({ room: 89_000, summaryRoom: 200_000 - 16_384 - 1000 })
  })

  it('AW-40 keeps as many messages as the section says, else as the policy and its mode say', () => {
    expect(compactionPolicyOf().suffix).to.equal(2)
    expect(compactionPolicyOf({}, { compaction_raw_suffix_messages: 5 }).suffix).to.equal(5)
    const frontier = { compaction_mode: 'compact_to_safe_frontier' } as const
    expect(compactionPolicyOf({}, frontier).suffix).to.equal(0)
    expect(compactionPolicyOf({ raw_retention: 7 }, frontier).suffix).to.equal(7)
  })
})
