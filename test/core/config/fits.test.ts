import { expect } from 'chai'
import { fits } from '../../../src/core/config/index.ts'

describe('a value', () => {
  const FITTING: readonly [
    type: string | readonly string[],
    fitting: unknown,
    others: unknown[],
  ][] = [
    ['string', 'a', [1, null, true, [], {}]],
    ['number', 1.5, ['1', null]],
    ['integer', 1, [1.5, '1']],
    ['boolean', false, [0, 'false', null]],
    ['array', [], [{}, 'a']],
    ['object', {}, [[], null]],
    ['null', null, [undefined, false, {}]],
    [['string', 'null'], null, [1]],
  ]
  for (const [type, fitting, others] of FITTING) {
    it(`fits the type ${String(type)}`, () => {
      expect(fits({ type }, fitting)).to.equal(true)
      for (const other of others) {
        expect(fits({ type }, other), String(other)).to.equal(false)
      }
    })
  }
})
