import { expect } from 'chai'
import { retryPolicyOf, verdictOf } from '../../../src/agent/retry/index.ts'
import type { ModelFailedEvent } from '../../../src/plugin/events/index.ts'

const POLICY = retryPolicyOf({ max_retries: 30 })
const FAILED = {
  failure: 'provider_failed',
  isShown: false,
  retries: 0,
  streamRetries: 0,
  askedBefore: 0,
  longestWait: 60,
} as const

function delayOf(
  failure: NonNullable<ModelFailedEvent['failure']>,
  retries: number,
  retryAfter?: number,
): number {
  const verdict = verdictOf(POLICY, { ...FAILED, failure, retries, retryAfter }, true)
  return verdict.next === 'retry' ? verdict.delayMs : expect.fail(verdict.reason)
}

describe('what follows a failed request', () => {
  it('AW-22 waits twice as long each time, at most 8 seconds', () => {
    const delays = [0, 1, 2, 3, 4, 5, 16, 29].map((retries) => delayOf('rate_limited', retries))
    expect(delays).to.deep.equal([500, 1000, 2000, 4000, 8000, 8000, 8000, 8000])
  })

  it('AW-22 waits on another base where the model API is overloaded', () => {
    expect([0, 1, 2, 3].map((retries) => delayOf('overloaded', retries))).to.deep.equal([
      2000, 4000, 8000, 8000,
    ])
    const own = retryPolicyOf({ max_retries: 1, backoff_base_ms: 3, overloaded_backoff_base_ms: 5 })
    const delays = (['timeout', 'overloaded'] as const).map(
      (failure) => verdictOf(own, { ...FAILED, failure }, true) as { readonly delayMs: number },
    )
    expect(delays.map(({ delayMs }) => delayMs)).to.deep.equal([3, 5])
  })

  it('AW-22 doubles sixteen times, and no more', () => {
    const tiny = retryPolicyOf({ max_retries: 99, backoff_base_ms: 0.01 })
    const at = (retries: number) => verdictOf(tiny, { ...FAILED, retries }, true)
    expect(at(16)).to.deep.equal(at(40))
    expect(at(15)).to.have.property('delayMs', 0.01 * 2 ** 15)
  })

  it('AW-22 waits as long as the model API asks for, if that is longer', () => {
    expect(delayOf('rate_limited', 0, 0.1)).to.equal(500)
    expect(delayOf('rate_limited', 0, 20)).to.equal(20_000)
    expect(delayOf('overloaded', 3, 60)).to.equal(60_000)
    for (const none of [Number.NaN, Infinity, -1]) {
      expect(delayOf('rate_limited', 0, none), String(none)).to.equal(500)
    }
  })

  it('AW-22 waits no shorter than the model API asks for: beyond the limit, another model is asked', () => {
    const nextOf = (more: object) => verdictOf(POLICY, { ...FAILED, ...more }, true)
    expect(nextOf({ retryAfter: 61 })).to.deep.equal({
      next: 'fallback',
      reason:
        'The model API asks for a wait of 61 seconds, which is longer than "limits.retry_after" allows.',
    })
    expect(nextOf({ retryAfter: 20, askedBefore: 40 })).to.include({ delayMs: 20_000 })
    expect(nextOf({ retryAfter: 21, askedBefore: 40 }).next).to.equal('fallback')
    expect(nextOf({ askedBefore: 60 }).next).to.equal('retry')
    expect(nextOf({ retryAfter: 1, longestWait: 0 }).next).to.equal('fallback')
  })

  it('AW-22 ends the retries after max_retries', () => {
    const policy = retryPolicyOf({ max_retries: 2 })
    const nexts = [0, 1, 2].map((retries) => verdictOf(policy, { ...FAILED, retries }, true).next)
    expect(nexts).to.deep.equal(['retry', 'retry', 'fallback'])
  })

  it('AW-24 ends the retries after output after max_stream_retries', () => {
    const shown = { ...FAILED, isShown: true }
    const nexts = [0, 1, 2].map(
      (streamRetries) =>
        verdictOf(POLICY, { ...shown, retries: streamRetries, streamRetries }, true).next,
    )
    expect(nexts).to.deep.equal(['retry', 'retry', 'fallback'])
    expect(verdictOf(POLICY, { ...FAILED, retries: 2, streamRetries: 2 }, true).next).to.equal(
      'retry',
    )
  })

  it('AW-26 repeats nothing after output that a client cannot discard', () => {
    expect(verdictOf(POLICY, { ...FAILED, isShown: true }, false)).to.deep.equal({
      next: 'end',
      reason: 'The client cannot discard the output that it was shown.',
    })
    expect(verdictOf(POLICY, FAILED, false).next).to.equal('retry')
  })

  it('AW-23 repeats nothing after a failure that would come again', () => {
    const verdict = verdictOf(POLICY, { ...FAILED, failure: undefined }, true)
    expect(verdict.next).to.equal('end')
  })

  it('AW-25 repeats nothing without a section, or with max_retries 0', () => {
    for (const policy of [retryPolicyOf(), retryPolicyOf({ max_retries: 0 })]) {
      expect(verdictOf(policy, FAILED, true).next).to.equal('fallback')
    }
  })
})
