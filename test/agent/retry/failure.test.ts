import { expect } from 'chai'
import { failureOf } from '../../../src/agent/retry/index.ts'
import { type ErrorFacts, HostError } from '../../../src/plugin/errors.ts'

const OF_PROVIDER = { plugin: 'p', provider: 'p', hook: 'stream' }
const classOf = (code: string, facts: ErrorFacts = OF_PROVIDER) =>
  failureOf(new HostError(code, 'it failed', facts))

describe('the kind of a failure', () => {
  it('AW-23 is one that may be repeated for what a model API recovers from', () => {
    const codes = ['PROVIDER_FAILED', 'RATE_LIMITED', 'OVERLOADED', 'TIMEOUT', 'STREAM_INTERRUPTED']
    expect(codes.map((code) => classOf(code))).to.deep.equal([
      'provider_failed',
      'rate_limited',
      'overloaded',
      'timeout',
      'interrupted',
    ])
  })

  it('AW-23 is none for what would come again, even if the provider says otherwise', () => {
    for (const code of [
      'CONTEXT_OVERFLOW',
      'INVALID_REQUEST',
      'PROVIDER_UNAUTHORIZED',
      'MODEL_UNKNOWN',
      'CONTENT_FILTERED',
      'QUOTA_EXCEEDED',
      'ABORTED',
    ]) {
      expect(classOf(code, { ...OF_PROVIDER, retryable: true }), code).to.equal(undefined)
    }
    for (const code of ['MESSAGES_INVALID', 'EVENTS_INVALID', 'SETTINGS_INVALID', 'OWN_CODE']) {
      expect(classOf(code), code).to.equal(undefined)
    }
  })

  it('AW-23 is none where the provider says that a repetition would not help', () => {
    expect(classOf('PROVIDER_FAILED', { ...OF_PROVIDER, retryable: false })).to.equal(undefined)
    expect(classOf('PROVIDER_FAILED', { ...OF_PROVIDER, retryable: true })).to.equal(
      'provider_failed',
    )
  })

  it('AW-23 is a failure of the provider where it has a code of its own, or threw while it asked', () => {
    expect(classOf('FLEET_DOWN', { ...OF_PROVIDER, retryable: true })).to.equal('provider_failed')
    expect(classOf('HOOK_FAILED')).to.equal('provider_failed')
    expect(classOf('HOOK_FAILED', { ...OF_PROVIDER, hook: 'toNative' })).to.equal(undefined)
  })

  it('AW-23 is none where another plugin than the provider failed', () => {
    const facts = { plugin: 'think-tags', hook: 'processChunk', phase: 'partials' } as const
    for (const code of ['TIMEOUT', 'PROVIDER_FAILED', 'HOOK_FAILED']) {
      expect(classOf(code, facts), code).to.equal(undefined)
    }
  })
})
