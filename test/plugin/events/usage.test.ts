import { expect } from 'chai'
import fc from 'fast-check'
import { addUsage, toUsage, type Usage, usageFaults } from '../../../src/plugin/events/index.ts'

const usage: fc.Arbitrary<Usage> = fc.record(
  {
    input: fc.nat(),
    output: fc.nat(),
    reasoning: fc.nat(),
    cacheRead: fc.nat(),
    cacheWrite: fc.nat(),
  },
  { requiredKeys: [] },
)

describe('toUsage', () => {
  it('keeps whole counts from 0 up, and leaves out what is not known', () => {
    const given = { input: 3, output: 0, reasoning: -1, cacheRead: 1.5, cacheWrite: '4', total: 9 }
    expect(toUsage(given)).to.deep.equal({ input: 3, output: 0 })
  })

  it('keeps the raw count of the API as it is', () => {
    const raw = { prompt_tokens: 3 }
    expect(toUsage({ raw }).raw).to.equal(raw)
  })

  it('makes a usage of anything', () => {
    fc.assert(fc.property(fc.anything(), (value) => void toUsage(value)))
    for (const value of [null, undefined, 'x', []]) expect(toUsage(value)).to.deep.equal({})
  })
})

describe('usageFaults', () => {
  it('finds nothing in a usage that holds', () => {
    expect(
      usageFaults({ input: 10, cacheRead: 6, cacheWrite: 4, output: 5, reasoning: 5 }),
    ).to.deep.equal([])
    expect(usageFaults({ cacheRead: 6, reasoning: 2 })).to.deep.equal([])
  })

  it('finds more cached than input, and more reasoning than output', () => {
    expect(usageFaults({ input: 9, cacheRead: 6, cacheWrite: 4 })).to.have.length(1)
    expect(usageFaults({ output: 4, reasoning: 5 })).to.have.length(1)
  })
})

describe('addUsage', () => {
  it('sums what both know, takes what one knows, and makes no 0 of what neither knows', () => {
    expect(addUsage({ input: 1, output: 2 }, { input: 3, reasoning: 4 })).to.deep.equal({
      input: 4,
      output: 2,
      reasoning: 4,
    })
    expect(addUsage({}, {})).to.deep.equal({})
  })

  it('does not depend on order or on grouping', () => {
    fc.assert(
      fc.property(usage, usage, usage, (a, b, c) => {
        expect(addUsage(a, b)).to.deep.equal(addUsage(b, a))
        expect(addUsage(addUsage(a, b), c)).to.deep.equal(addUsage(a, addUsage(b, c)))
      }),
    )
  })
})
