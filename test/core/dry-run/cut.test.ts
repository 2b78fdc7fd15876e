import { expect } from 'chai'
import fc from 'fast-check'
import { cutChanges } from '../../../src/core/dry-run/cut.ts'
import { json } from '../../helpers/arbitraries.ts'

describe('changes that are told', () => {
  it('stay as they are where there is room', () => {
    const changes = [
      { path: '/a', before: 'x', after: { b: [1] } },
      { path: '/c', after: null },
    ]
    expect(cutChanges(changes, 100)).to.deep.equal({ changes })
  })

  it('are cut where they are too long, and say how much is missing', () => {
    const [text, list] = ['x'.repeat(50), Array.from({ length: 50 }, () => 1)]
    const json = JSON.stringify(list)
    expect(cutChanges([{ path: '', before: text, after: list }], 20)).to.deep.equal({
      changes: [
        {
          path: '',
          before: text.slice(0, 10),
          after: json.slice(0, 10),
          leftOut: 40 + json.length - 10,
        },
      ],
    })
  })

  it('are counted where there is no room at all', () => {
    const changes = [1, 2, 3].map((at) => ({ path: `/${at}`, after: 'x'.repeat(30) }))
    const { changes: told, changesLeftOut } = cutChanges(changes, 32)
    expect(told).to.deep.equal([{ path: '/1', after: changes[0]?.after }])
    expect(changesLeftOut).to.equal(2)
  })

  it('have about as many characters as there is room for', () => {
    const change = fc.record({ path: fc.constant('/a'), before: json, after: json })
    fc.assert(
      fc.property(fc.array(change), fc.integer({ min: 1, max: 200 }), (all, most) => {
        const { changes, changesLeftOut = 0 } = cutChanges(all, most)
        expect(changes.length + changesLeftOut).to.equal(all.length)
        const texts = changes.flatMap(({ before, after }) => [before, after]).map(lengthOf)
        expect(texts.reduce((sum, length) => sum + length, 0)).to.be.at.most(most + 2)
      }),
    )
  })
})

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length
}
