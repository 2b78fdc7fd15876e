import { expect } from 'chai'
import { limitsOf, tooMuch } from '../../../providers/model-api/limits.ts'
import type { Profile } from '../../../providers/model-api/profile.ts'
import { DEFAULT_LIMITS } from '../../../src/plugin/config.ts'

describe('limits of model APIs', () => {
  it("have the host's defaults, and what a config says over them", () => {
    const { hook, ...others } = limitsOf({ limits: { hook: 7 } })
    expect(hook).to.equal(7)
    expect(DEFAULT_LIMITS).to.include(others)
  })

  it('are named by the errors of answers that exceed them', () => {
    const limits = limitsOf({ limits: { answer_parts: 7 } })
    const { message } = tooMuch({ title: 'The API' } as Profile, limits, 'answer_parts')
    expect(message).to.match(/^The API sent an answer of more than 7 parts.*"limits\.answer_parts"/)
  })
})
