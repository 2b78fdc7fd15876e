import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }
const MOST = 0x10ffff - SURROGATES.count

/**
 * Any character that Unicode has, as a unit of texts. The unit `binary` of fast-check is the same, but makes a map of
 * all of them first, which takes seconds in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(MOST)
  .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count))
