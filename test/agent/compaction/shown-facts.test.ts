import { expect } from 'chai'
import { factsWithin } from '../../../src/agent/compaction/shown-facts.ts'
import type { KeptFact } from '../../../src/plugin/events/index.ts'

/** A fact that takes ten tokens. */
function fact(type: KeptFact['type'], id: string): KeptFact {
  return { type, id, text: `${id}${'x'.repeat(31)}` }
}

function idsWithin(facts: readonly KeptFact[], all: number, said = 1000) {
  const { kept, keptShown = kept.length } = factsWithin(facts, { all, said })
  return [kept.map(({ id }) => id).join(''), keptShown]
}

const OTHERS = [fact('evidence', 'a'), fact('evidence', 'b'), fact('incident', 'c')]
const ALL = [fact('said', '1'), fact('said', '2'), fact('said', '3'), ...OTHERS]

describe('factsWithin', () => {
  it('LR-08 gives room to errors first, and then to the newest references, and stores all of them', () => {
    const sizes = [0, 10, 29, 30].map((room) => idsWithin(OTHERS, room))
    expect(sizes).to.deep.equal([
      ['abc', 0],
      ['abc', 1],
      ['abc', 2],
      ['abc', 3],
    ])
    expect(factsWithin([], { all: 0, said: 0 })).to.deep.equal({ kept: [] })
  })

  it('gives the room that is left to what the user said, the newest first', () => {
    const sizes = [29, 30, 45, 59, 1000].map((room) => idsWithin(ALL, room))
    expect(sizes).to.deep.equal([
      ['abc', 2],
      ['abc', 3],
      ['3abc', 4],
      ['23abc', 5],
      ['123abc', 6],
    ])
  })

  it('keeps what the user said within its own room too', () => {
    expect(idsWithin(ALL, 1000, 15)).to.deep.equal(['3abc', 4])
    expect(idsWithin(ALL, 1000, -5)).to.deep.equal(['abc', 3])
  })

  it('keeps at most 8,192 tokens of what the user said, however large the window is', () => {
    const many = Array.from({ length: 2000 }, (_, at): KeptFact => fact('said', `${at % 10}`))
    expect(factsWithin(many, { all: 1e6, said: 1e6 }).kept).to.have.length(819)
  })
})
