import { expect } from 'chai'
import fc from 'fast-check'
import { andThen, fold } from '../../../src/core/chain/fold.ts'

describe('fold', () => {
  it('answers at once where nothing answers with a promise', () => {
    expect(fold([1, 2, 3], '', (text, item) => `${text}${item}`)).to.equal('123')
    expect(fold([], 'start', (text) => text)).to.equal('start')
  })

  it('waits where one does, and hands its value on', async () => {
    const answer = fold([1, 2, 3], '', (text, item) =>
      item === 2 ? Promise.resolve(`${text}${item}`) : `${text}${item}`,
    )
    expect(answer).to.be.an.instanceOf(Promise)
    expect(await answer).to.equal('123')
  })

  it('gives the same whichever items answer with a promise', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(9), fc.boolean())), async (items) => {
        const folded = await fold(items, '', (text, [item, later]) =>
          later ? Promise.resolve(`${text}${item}`) : `${text}${item}`,
        )
        expect(folded).to.equal(items.map(([item]) => item).join(''))
      }),
    )
  })
})

describe('andThen', () => {
  it('goes on at once where it can', async () => {
    expect(andThen(1, (value) => value + 1)).to.equal(2)
    expect(await andThen(Promise.resolve(1), (value) => value + 1)).to.equal(2)
  })
})
