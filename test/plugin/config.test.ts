import { expect } from 'chai'
import { DEFAULT_LIMITS, limitsOf } from '../../src/plugin/config.ts'

describe('limitsOf', () => {
  it('gives the defaults where a config says nothing', () => {
    expect(limitsOf({})).to.deep.equal(DEFAULT_LIMITS)
  })

  it('puts what a config says over the defaults', () => {
    expect(limitsOf({ limits: { hook: 1 } })).to.deep.equal({ ...DEFAULT_LIMITS, hook: 1 })
  })

  it('lets a model that reasons be silent for longer, unless the config says otherwise', () => {
    expect(limitsOf({ reasoning_effort: 'high' }).stream_idle).to.equal(300)
    expect(limitsOf({ reasoning_effort: 'none' }).stream_idle).to.equal(60)
    expect(limitsOf({ reasoning_effort: 'high', limits: { stream_idle: 5 } }).stream_idle).to.equal(
      5,
    )
  })
})
