import { expect } from 'chai'
import { Closing } from '../../../../src/core/host/signals/closing.ts'

describe('the closing of a host', () => {
  it('aborts what is linked, with its reason, and its signal', () => {
    const closing = new Closing()
    const controllers = [new AbortController(), new AbortController()]
    for (const controller of controllers) closing.link(controller)
    closing.close('over')
    const signals = [...controllers.map(({ signal }) => signal), closing.signal]
    expect(signals.map(({ reason }) => reason)).to.deep.equal(['over', 'over', 'over'])
  })

  it('leaves alone what was unlinked, and no other link of the same controller', () => {
    const closing = new Closing()
    const [left, kept] = [new AbortController(), new AbortController()]
    closing.link(left)()
    const unlink = closing.link(kept)
    closing.link(kept)
    unlink()
    closing.close('over')
    expect(left.signal.aborted).to.equal(false)
    expect(kept.signal.reason).to.equal('over')
  })

  it('aborts at once what is linked afterwards', () => {
    const closing = new Closing()
    closing.close('over')
    const late = new AbortController()
    closing.link(late)
    expect(late.signal.reason).to.equal('over')
  })

  it('aborts as soon as another signal does, until that is unlinked', () => {
    const [other, linked, left] = Array.from({ length: 3 }, () => new AbortController())
    const closing = new Closing()
    closing.link(linked as AbortController, undefined, other?.signal)
    closing.link(left as AbortController, other?.signal)()
    other?.abort('cancelled')
    expect(linked?.signal.reason).to.equal('cancelled')
    expect(left?.signal.aborted).to.equal(false)
  })
})
