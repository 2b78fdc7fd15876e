import { expect } from 'chai'
import fc from 'fast-check'
import { findJsonFault, frozenCopy, isObject, pointerOf } from '../../../src/plugin/events/index.ts'
import { json } from '../../helpers/arbitraries.ts'

describe('isObject', () => {
  it('is true for plain objects only', () => {
    for (const value of [{}, Object.create(null), { a: 1 }]) expect(isObject(value)).to.equal(true)
    for (const value of [null, [], new Date(), new Map(), () => 1, 'x', 1, undefined]) {
      expect(isObject(value), String(value)).to.equal(false)
    }
  })
})

describe('pointerOf', () => {
  it('escapes "~" and "/", as RFC 6901 says', () => {
    expect(pointerOf(['a/b', 0, 'm~n', ''])).to.equal('/a~1b/0/m~0n/')
    expect(pointerOf([])).to.equal('')
  })
})

describe('findJsonFault', () => {
  it('finds nothing in JSON', () => {
    fc.assert(fc.property(json, (value) => void expect(findJsonFault(value)).to.equal(undefined)))
  })

  it('finds nothing where the same object stands in two places', () => {
    const shared = { a: 1 }
    expect(findJsonFault({ left: shared, right: [shared] })).to.equal(undefined)
  })

  const FAULTS: readonly [what: string, value: unknown, pointer: string][] = [
    ['a function', { a: [1, () => 1] }, '/a/1'],
    ['a bigint', { a: 1n }, '/a'],
    ['an infinite number', [Infinity], '/0'],
    ['an instance of a class', { at: new Date() }, '/at'],
    ['undefined in an array', [undefined], '/0'],
    ['a key "__proto__"', JSON.parse('{"a": {"__proto__": 1}}'), '/a/__proto__'],
  ]
  for (const [what, value, pointer] of FAULTS) {
    it(`finds ${what}, and where it is`, () => {
      expect(findJsonFault(value)?.pointer).to.equal(pointer)
    })
  }

  it('names the class of an instance, and says what to use', () => {
    expect(findJsonFault({ at: new Date() })?.reason).to.equal(
      'an instance of the class "Date" is not JSON; use a text or its fields',
    )
  })

  it('finds a value that contains itself', () => {
    const value: { inner: { outer?: unknown } } = { inner: {} }
    value.inner.outer = value
    expect(findJsonFault(value)).to.deep.equal({
      pointer: '/inner/outer',
      reason: 'the value contains itself',
    })
  })

  it('passes over keys whose value is undefined', () => {
    expect(findJsonFault({ a: undefined })).to.equal(undefined)
  })

  it('takes a value that throws when it is read as a fault', () => {
    const value = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('hidden')
      },
    })
    expect(findJsonFault(value)).to.deep.equal({
      pointer: '',
      reason: 'it cannot be read: hidden',
    })
  })
})

describe('frozenCopy', () => {
  it('copies JSON, and freezes the copy with everything in it', () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = frozenCopy(value)
        expect(copy).to.deep.equal(value)
        const isFrozen = (inner: unknown): boolean =>
          typeof inner !== 'object' ||
          inner === null ||
          (Object.isFrozen(inner) && Object.values(inner).every(isFrozen))
        expect(isFrozen(copy)).to.equal(true)
      }),
    )
  })

  it('refuses each value that is no JSON', () => {
    const loop: { self?: unknown } = {}
    loop.self = loop
    const holes: unknown[] = [1]
    holes.length = 2
    const proto: unknown = JSON.parse('{"a": {"__proto__": 1}}')
    for (const value of [
      () => 1,
      1n,
      NaN,
      new Date(),
      new Map(),
      holes,
      [undefined],
      proto,
      loop,
    ]) {
      expect(() => frozenCopy({ value })).to.throw(TypeError)
    }
  })

  it('keeps a member whose value is undefined', () => {
    expect(frozenCopy({ a: undefined })).to.deep.equal({ a: undefined })
  })
})
