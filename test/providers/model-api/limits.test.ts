import { expect } from 'chai'
import { limitsOf } from '../../../providers/model-api/limits.ts'
import { DEFAULT_LIMITS } from '../../../src/plugin/config.ts'

describe('limits of model APIs', () => {
  it("have the host's defaults, and what a config says over them", () => {
    const { hook, ...others } = limitsOf({ limits: { hook: 7 } })
    expect(hook).to.equal(7)
    expect(DEFAULT_LIMITS).to.include(others)
  })
})
