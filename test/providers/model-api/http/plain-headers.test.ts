import { expect } from 'chai'
import fc from 'fast-check'
import { PlainHeaders } from '../../../../providers/model-api/http/plain-headers.ts'

const NAME = fc.constantFrom('a', 'A', 'content-type', 'Content-Type', 'x-b', '__proto__')
const VALUE = fc.constantFrom('1', ' 2 ', 'text/plain', '')
const CHANGE = fc.oneof(
  fc.record({ act: fc.constantFrom('set' as const, 'append' as const), name: NAME, value: VALUE }),
  fc.record({ act: fc.constant('delete' as const), name: NAME }),
)
type Change =
  | { readonly act: 'set' | 'append'; readonly name: string; readonly value: string }
  | { readonly act: 'delete'; readonly name: string }

function change(headers: Headers | PlainHeaders, one: Change): void {
  if (one.act === 'delete') headers.delete(one.name)
  else headers[one.act](one.name, one.value)
}

const pairsOf = (headers: Headers | PlainHeaders) => [...headers].toSorted()

describe('PlainHeaders', () => {
  it('has what Node’s Headers has after any changes', () => {
    fc.assert(
      fc.property(fc.array(CHANGE), NAME, (changes, name) => {
        const headers = new Headers()
        const plain = new PlainHeaders()
        for (const one of changes) {
          change(headers, one)
          change(plain, one)
        }
        expect(pairsOf(plain)).to.deep.equal(pairsOf(headers))
        expect([plain.get(name), plain.has(name)]).to.deep.equal([
          headers.get(name),
          headers.has(name),
        ])
      }),
    )
  })

  it('is made of an object, of pairs and of other headers', () => {
    for (const given of [
      { A: '1', b: '2' },
      [
        ['a', '1'],
        ['B', '2'],
      ],
      new Headers({ a: '1', b: '2' }),
    ]) {
      expect(pairsOf(new PlainHeaders(given))).to.deep.equal([
        ['a', '1'],
        ['b', '2'],
      ])
      expect(pairsOf(new Headers(new PlainHeaders(given) as unknown as Headers))).to.deep.equal([
        ['a', '1'],
        ['b', '2'],
      ])
    }
  })
})
