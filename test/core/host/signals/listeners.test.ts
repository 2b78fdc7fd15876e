import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { linkSignals } from '../../../../src/core/host/signals/link-signals.ts'
import { allowListeners } from '../../../../src/core/host/signals/listeners.ts'
import { foreignSignals } from '../../../helpers/foreign-signals.ts'

describe('a signal with any number of listeners', () => {
  const warned: string[] = []
  const onWarning = ({ name }: Error) => void warned.push(name)
  before(() => process.on('warning', onWarning))
  after(() => process.off('warning', onWarning))

  it('has no warning of a leak, which others have', async () => {
    const [own, other] = [new AbortController(), new AbortController()]
    allowListeners(own.signal)
    const listen = ({ signal }: AbortController) => {
      for (let at = 0; at < 20; at += 1) signal.addEventListener('abort', () => at)
    }
    listen(own)
    await setImmediate()
    expect(warned).to.deep.equal([])
    listen(other)
    await setImmediate()
    expect(warned).to.deep.equal(['MaxListenersExceededWarning'])
  })

  it('may be one of a test environment, which Node refuses to limit', () => {
    using _ = foreignSignals()
    const given = new AbortController()
    allowListeners(given.signal)
    const followers = Array.from({ length: 20 }, () => new AbortController())
    for (const follower of followers) linkSignals([given.signal], follower)
    given.abort('enough')
    expect(followers.filter(({ signal }) => signal.reason === 'enough')).to.have.length(20)
  })
})
