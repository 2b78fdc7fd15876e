import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Any character but for halves of one. */
const character = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count))

/** Texts of any characters, as `fc.string` has with the unit `binary`; that one first makes a table of a million entries. */
export function anyText(limits: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc.array(character, limits).map((characters) => characters.join(''))
}
