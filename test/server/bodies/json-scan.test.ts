import { expect } from 'chai'
import fc from 'fast-check'
import { JsonScan } from '../../../src/server/bodies/json-scan.ts'
import { propertyRuns } from '../../helpers/cases.ts'

/** What a scan finds out, of bytes that come in pieces. */
function scanned(text: string, piece = text.length): { values: number; deepest: number } {
  const scan = new JsonScan()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += Math.max(1, piece)) {
    scan.add(bytes.subarray(at, at + Math.max(1, piece)))
  }
  return { values: scan.values, deepest: scan.deepest }
}

/** The same, of the value: what opens, what stands behind a comma, and keys. */
function counted(value: unknown): { values: number; deepest: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, deepest: 0 }
  const inner = Object.values(value).map(counted)
  const keys = Array.isArray(value) ? 0 : inner.length
  return {
    values:
      1 + keys + Math.max(0, inner.length - 1) + inner.reduce((sum, one) => sum + one.values, 0),
    deepest: 1 + Math.max(0, ...inner.map((one) => one.deepest)),
  }
}

const EDGES = ['"', '\\', '\\"', '\\\\"', ',', '{[', ']}', 'ä😀', ' ']
const words = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...EDGES), { maxLength: 80 }).map((pieces) => pieces.join('')),
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(words, tie('value'), { maxKeys: 5 }),
  ),
})).value

describe('a scan of JSON', () => {
  it('counts what a text holds, however it is written and in whatever pieces it comes', () => {
    fc.assert(
      fc.property(
        json,
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(0, 2),
        (value, piece, space) => {
          expect(scanned(JSON.stringify(value, null, space), piece)).to.deep.equal(counted(value))
        },
      ),
      { numRuns: propertyRuns(500) },
    )
  })

  it('counts the same in texts of their own, one after the other, whatever signs they are cut at', () => {
    for (const sign of ['x', 'ä', '€', '😀', ', ', '\\"']) {
      const value = [`.${sign.repeat(20_000)}`, { [sign.repeat(9000)]: [1, 2] }]
      const scan = new JsonScan()
      for (let time = 1; time <= 3; time++) {
        scan.addWhole(JSON.stringify(value))
        expect(scan.values).to.equal(time * counted(value).values)
        scan.addWhole('"a text that does not end')
        scan.addWhole('"\\')
      }
    }
  })

  it('counts members of very large objects ten times', () => {
    const wide = Object.fromEntries(Array.from({ length: 1100 }, (_, index) => [`k${index}`, 1]))
    const { values } = scanned(JSON.stringify([wide, wide]))
    expect(values).to.equal(counted([wide, wide]).values + 2 * 9 * 100)
  })

  it('takes a text for a text, however long it is and however it ends', () => {
    for (const text of [
      'x'.repeat(1000),
      '\\'.repeat(1001),
      `${'"'.repeat(999)}\\`,
      '[{,'.repeat(500),
    ]) {
      const written = JSON.stringify([text, [text]])
      for (const piece of [1, 7, 32, 33, 1000, written.length]) {
        expect(scanned(written, piece), `${text.slice(0, 5)} in ${piece}`).to.deep.equal({
          values: 3,
          deepest: 2,
        })
      }
    }
  })
})
