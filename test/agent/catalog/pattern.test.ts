import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { matcherOf, patternFault } from '../../../src/agent/catalog/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'

interface Case {
  readonly pattern: string
  readonly value: string
  readonly expected: boolean
  readonly note: string
}

const CASES = join(
  import.meta.dirname,
  '../../../../shared/conformance/catalog-glob/catalog-glob-parity.json',
)

/** A slow matcher, straight from the rule. */
function bruteForce(pattern: readonly string[], text: string): boolean {
  const [token, ...rest] = pattern
  if (token === undefined) return text === ''
  if (token === '*') {
    return Array.from({ length: text.length + 1 }, (_, at) => at).some((at) =>
      bruteForce(rest, text.slice(at)),
    )
  }
  const literal = token.startsWith('\\') ? token.slice(1) : token
  return text.startsWith(literal) && bruteForce(rest, text.slice(literal.length))
}

describe('a pattern of tool names', () => {
  it('AW-31 matches as in the 30 cases of the conformance set', function () {
    if (!existsSync(CASES)) {
      process.stderr.write('"the conformance set" is skipped: ../shared is not here\n')
      this.skip()
    }
    const cases = JSON.parse(readFileSync(CASES, 'utf8')) as readonly Case[]
    expect(cases).to.have.length(30)
    for (const { pattern, value, expected, note } of cases) {
      expect(matcherOf(pattern)(value), `${pattern} ${value}: ${note}`).to.equal(expected)
    }
  })

  it('AW-31 matches whole texts by its stars and literals', () => {
    const token = fc.constantFrom('a', 'b', '*', '*', '*', '\\*', '\\\\', '😀')
    const letter = fc.constantFrom('a', 'a', 'b', '*', '\\', '\n', '😀')
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 7 }),
        fc.array(letter, { maxLength: 8 }),
        (tokens, letters) => {
          const text = letters.join('')
          const isMatch = matcherOf(tokens.join(''))(text)
          expect(isMatch).to.equal(bruteForce(tokens, text))
        },
      ),
      { numRuns: propertyRuns(2000) },
    )
  })

  it('AW-31 takes each literal from a place of its own', () => {
    expect(matcherOf('*a*a*')('a')).to.equal(false)
    expect(matcherOf('a*a')('a')).to.equal(false)
    expect(matcherOf('*ab*bc')('abc')).to.equal(false)
    expect(matcherOf('*a*a*')('aa')).to.equal(true)
  })

  it('AW-33 is not valid if it is empty, or ends with an escape that escapes nothing', () => {
    expect(patternFault('')).to.include('empty')
    for (const pattern of ['\\', 'a\\', 'a\\\\\\'])
      expect(patternFault(pattern)).to.include('escape')
    for (const pattern of ['a', '*', '\\\\', 'a\\*'])
      expect(patternFault(pattern)).to.equal(undefined)
  })

  it('does not hang on many stars', () => {
    const matches = matcherOf(`${'*a'.repeat(2000)}b`)
    expect(matches('a'.repeat(100_000))).to.equal(false)
    expect(matches(`${'a'.repeat(100_000)}b`)).to.equal(true)
  })
})
