import { expect } from 'chai'
import fc from 'fast-check'
import { conversationKey, ownerKey, ownerOfKey } from '../../../src/agent/storage/index.ts'

/** Texts of what might be taken for something else within a key. */
const tricky = fc.string({ unit: fc.constantFrom('a', '/', '%', '2', 'F', '5', '\u{1f600}') })

describe('conversationKey', () => {
  it('is that of no other owner, and no other id', () => {
    const place = fc.tuple(tricky, tricky)
    fc.assert(
      fc.property(place, place, (one, other) => {
        const isSame = one[0] === other[0] && one[1] === other[1]
        expect(conversationKey(...one) === conversationKey(...other)).to.equal(isSame)
      }),
    )
    expect(conversationKey('a', 'b/c')).to.not.equal(conversationKey('a/b', 'c'))
    expect(conversationKey('a%2Fb', 'c')).to.not.equal(conversationKey('a/b', 'c'))
  })

  it('is no key of an owner alone, and both say whose they are', () => {
    fc.assert(
      fc.property(tricky, tricky, tricky, (owner, id, other) => {
        expect(conversationKey(owner, id)).to.not.equal(ownerKey(other))
        expect(ownerOfKey(conversationKey(owner, id))).to.equal(owner)
        expect(ownerOfKey(ownerKey(owner))).to.equal(owner)
      }),
    )
  })
})
