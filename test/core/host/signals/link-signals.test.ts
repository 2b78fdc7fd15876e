import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { linkSignals } from '../../../../src/core/host/signals/link-signals.ts'

describe('a signal that many follow', () => {
  it('has at most ten listeners, and none when nobody follows it any more', () => {
    const given = new AbortController()
    const followers = Array.from({ length: 20 }, () => new AbortController())
    const unlinks = followers.map((follower) => linkSignals([given.signal], follower))
    const listeners = () => getEventListeners(given.signal, 'abort')
    expect(listeners()).to.have.length(10)
    const last = unlinks.pop()
    for (const unlink of unlinks) unlink()
    expect(listeners()).to.have.length(1)
    last?.()
    expect(listeners()).to.have.length(0)
  })

  it('aborts all that follow it, also those that begin anew, and no others', () => {
    const given = new AbortController()
    const [left, early, late] = Array.from({ length: 3 }, () => new AbortController())
    const many = Array.from({ length: 20 }, () => new AbortController())
    for (const one of many) linkSignals([given.signal], one)
    linkSignals([given.signal], left as AbortController)()
    linkSignals([given.signal], early as AbortController)
    linkSignals([undefined, given.signal], late as AbortController)
    given.abort('enough')
    expect([left, early, late].map((one) => one?.signal.reason)).to.deep.equal([
      undefined,
      'enough',
      'enough',
    ])
    expect(many.filter(({ signal }) => signal.reason === 'enough')).to.have.length(20)
    const after = new AbortController()
    linkSignals([given.signal], after)
    expect(after.signal.reason).to.equal('enough')
  })
})
