import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { writtenBody } from '../../../providers/model-api/written-body.ts'
import { sampled } from '../../helpers/cases.ts'

/** Texts whose pieces would end at every place of a sign: before it, within it, behind it. */
const LONG = ['x', 'é', '€', '😀', '\n', '\ud800'].flatMap((sign, at) =>
  sampled(['', 'a', 'ab'], 3, at).map((before) => before + sign.repeat(600_000)),
)

describe('the body of a request to a model API', () => {
  it('is its JSON as text where it is short', async () => {
    for (const body of [
      {},
      { text: 'é'.repeat(1000) },
      { left: undefined, list: [undefined, 1] },
    ]) {
      expect(await writtenBody(body)).to.equal(JSON.stringify(body))
    }
  })

  for (const [index, text] of LONG.entries()) {
    it(`is the bytes of its JSON where it is long (${index})`, async () => {
      const body = { model: 'm', input: [text, { more: text.slice(0, 10) }] }
      const written = await writtenBody(body)
      expect(written).to.be.instanceOf(Uint8Array)
      expect(Buffer.compare(written as Uint8Array, Buffer.from(JSON.stringify(body)))).to.equal(0)
    })
  }

  it('leaves turns to all else while a long one is written', async () => {
    let isWritten = false
    let turns = 0
    void writtenBody({ text: 'x'.repeat(4_000_000) }).then(() => {
      isWritten = true
    })
    for (; !isWritten; turns++) await nextTurn()
    expect(turns).to.be.at.least(4)
  })
})
