import { expect } from 'chai'
import fc from 'fast-check'
import { searchText } from '../../../src/core/results/search-text.ts'

const { signal } = new AbortController()

async function found(text: string, search: string, more: object = {}) {
  const bytes = Buffer.from(text)
  const answer = await searchText(bytes, { search, offset: 0, most: 60_000, signal, ...more })
  const [first = '', ...lines] = answer.split('\n')
  const offsets = lines.map((line) => Number(/^At offset (\d+)/.exec(line)?.[1]))
  return { first, lines, offsets, bytes }
}

describe('a search in a result', () => {
  it('LT-09 finds places without regard to case, each with its offset and context', async () => {
    const { first, lines } = await found('Straße\nthe ÄPFEL and the äpfel', 'äPfel')
    expect(first).to.equal('[2 places. The text was searched to its end, 33 bytes.]')
    expect(lines).to.deep.equal([
      'At offset 12: "Straße\\nthe ÄPFEL and the äpfel"',
      'At offset 27: "Straße\\nthe ÄPFEL and the äpfel"',
    ])
    expect((await found('abc', 'x')).first).to.match(/^\[No places\./)
    expect((await found('abc', 'B')).first).to.match(/^\[1 place\./)
  })

  it('LT-09 takes no text for a pattern', async () => {
    expect((await found('aaa (a+)+$ b', '(a+)+$')).offsets).to.deep.equal([4])
    expect((await found('aaaa', '.*')).offsets).to.deep.equal([])
  })

  it('LT-09 tells offsets at which the text stands, whatever is before it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant('İ'), fc.constant('😀'), fc.string({ unit: 'grapheme' }))),
        async (texts) => {
          const { bytes, offsets } = await found(texts.join('NeedLe'), 'needle')
          expect(offsets.length).to.be.at.least(Math.min(20, texts.length - 1))
          for (const offset of offsets)
            expect(
              bytes
                .subarray(offset, offset + 6)
                .toString()
                .toLowerCase(),
            ).to.equal('needle')
        },
      ),
    ))

  it('LT-09 finds a text across the pieces in which it is searched', async () => {
    for (const before of [65_530, 65_533, 65_536, 131_070]) {
      expect((await found(`${'é'.repeat(before / 2)}needle`, 'needle')).offsets).to.deep.equal([
        2 * Math.floor(before / 2),
      ])
    }
  })

  it('LT-09 says where more places follow, and goes on from there', async () => {
    const text = 'x1 '.repeat(50)
    const { first, offsets } = await found(text, 'X1')
    expect(offsets).to.have.length(20)
    expect(first).to.equal('[20 places. There are more from offset 60 on.]')
    expect((await found(text, 'x1', { offset: 60 })).offsets[0]).to.equal(60)
  })

  it('LT-09 tells the offset alone where the context has no room', async () => {
    const { lines } = await found(`${'\u0001'.repeat(80)}x${'\u0001'.repeat(80)}`, 'x', {
      most: 500,
    })
    expect(lines).to.deep.equal(['At offset 80'])
  })

  it('LT-09 lets other work run, and ends when the run is cancelled', async () => {
    const bytes = Buffer.alloc(16 << 20, 'a')
    const cancel = new AbortController()
    const searching = searchText(bytes, {
      search: 'b',
      offset: 0,
      most: 500,
      signal: cancel.signal,
    })
    setTimeout(() => cancel.abort(), 1)
    expect(await searching.catch((error: unknown) => error)).to.have.property('name', 'AbortError')
  })
})
