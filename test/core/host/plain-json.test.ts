import { expect } from 'chai'
import { plainJson } from '../../../src/core/host/plain-json.ts'

class Row {
  readonly id = 1
  readonly at = new Date(0)
}

class Price {
  readonly #cents: number
  constructor(cents: number) {
    this.#cents = cents
  }

  toJSON(): string {
    return (this.#cents / 100).toFixed(2)
  }
}

class Hidden {
  readonly #value = 1
  get value(): number {
    return this.#value
  }
}

function faultOf(given: unknown) {
  const plain = plainJson(given)
  return 'fault' in plain ? plain.fault : undefined
}

describe('a value of a plugin', () => {
  it('is the same value if it is JSON', () => {
    const given = { rows: [1, 'two', null] }
    expect(plainJson(given)).to.deep.equal({ value: given })
    expect(Object(plainJson(given)).value).to.equal(given)
  })

  it('has values with toJSON as what that returns, and rows as their fields', () => {
    const shared = new Row()
    const given = {
      created: new Date(0),
      link: new URL('http://localhost/a'),
      price: new Price(150),
      rows: [shared, shared],
      left: undefined,
    }
    const row = { id: 1, at: '1970-01-01T00:00:00.000Z' }
    expect(plainJson(given)).to.deep.equal({
      value: {
        created: '1970-01-01T00:00:00.000Z',
        link: 'http://localhost/a',
        price: '1.50',
        rows: [row, row],
        left: undefined,
      },
    })
    expect(given.created).to.be.instanceOf(Date)
    expect(plainJson(new Date(0))).to.deep.equal({ value: '1970-01-01T00:00:00.000Z' })
  })

  it('is refused where it is no JSON, with the name of the class', () => {
    const named = (name: string) =>
      `an instance of the class "${name}" is not JSON; use a text or its fields`
    expect(faultOf({ s: new Set([1]) })).to.deep.equal({ pointer: '/s', reason: named('Set') })
    expect(faultOf([new Map()])?.reason).to.equal(named('Map'))
    expect(faultOf({ 'a/b': new Hidden() })).to.deep.equal({
      pointer: '/a~1b',
      reason: named('Hidden'),
    })
    expect(faultOf(Buffer.from('x'))?.reason).to.equal(named('Buffer'))
    expect(faultOf(new Error('x'))?.reason).to.equal(named('Error'))
    for (const value of [1n, Symbol('s'), () => 1, Number.NaN]) {
      expect(faultOf({ at: new Date(0), value })?.pointer).to.equal('/value')
    }
  })

  it('is refused where it contains itself, or is nested too deep', () => {
    const cyclic: { self?: unknown; at: Date } = { at: new Date(0) }
    cyclic.self = cyclic
    expect(faultOf(cyclic)).not.to.equal(undefined)
    let deep: object = { at: new Date(0) }
    for (let level = 0; level < 100_000; level++) deep = { deep }
    expect(faultOf(deep)?.reason).to.include('nested deeper')
    const endless = { toJSON: (): unknown => ({ ...endless }) }
    expect(faultOf(endless)).not.to.equal(undefined)
  })
})
