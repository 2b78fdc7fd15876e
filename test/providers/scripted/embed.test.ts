import { expect } from 'chai'
import { scriptedHost } from '../../helpers/hosts.ts'
import { errorOf } from '../../helpers/plugins.ts'

type Vector = ArrayLike<number>

function similarity(one: Vector | undefined, other: Vector | undefined): number {
  return Array.from(one ?? []).reduce((sum, value, at) => sum + value * (other?.[at] ?? 0), 0)
}

describe('the embeddings of the scripted provider', () => {
  it('are the same for the same text, and near for texts that share words', async () => {
    await using host = await scriptedHost()
    const texts = ['Cats like fish.', 'cats LIKE milk', 'stocks fell today', 'Cats like fish.', '…']
    const { vectors, tokens } = await host.embed({}, texts)
    const [fish, milk, stocks, again, nothing] = vectors
    expect(fish).to.have.length(256)
    expect(again).to.deep.equal(fish)
    expect(similarity(fish, milk)).to.be.above(similarity(fish, stocks) + 0.3)
    for (const vector of vectors) expect(similarity(vector, vector)).to.be.closeTo(1, 1e-6)
    expect(nothing?.[0]).to.equal(1)
    expect(tokens).to.equal(12)
  })

  it('have the length that is asked for', async () => {
    await using host = await scriptedHost()
    const { vectors } = await host.embed({}, ['one two'], { dimensions: 3 })
    expect(vectors[0]).to.have.length(3)
  })

  it('need texts', async () => {
    await using host = await scriptedHost()
    const error = await errorOf(host.embed({}, ['a', [1, 2]]))
    expect(error).to.include({ code: 'REQUEST_INVALID', pointer: '/input/1' })
  })
})
