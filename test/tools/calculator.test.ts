import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import type { ToolOutput } from '../../src/plugin/index.ts'
import calculator from '../../tools/calculator/index.ts'
import { propertyRuns } from '../helpers/cases.ts'

interface Calculated {
  readonly expression: string
  readonly result: string
  readonly exact: boolean
  readonly fraction?: string
}

function execute(input: unknown): ToolOutput {
  return calculator.executeTool({ callId: 'c', name: 'calculate', input }) as ToolOutput
}

function calculate(expression: string): Calculated {
  const { output, isError } = execute({ expression })
  expect(isError, String(output)).to.equal(undefined)
  return output as Calculated
}

function faultOf(expression: string): string {
  const { output, isError } = execute({ expression })
  expect(isError, JSON.stringify(output)).to.equal(true)
  return String(output)
}

describe('calculator', () => {
  it('answers as its schema says', () => {
    const [schema] = calculator.getToolSchemas()
    const ajv = new Ajv2020({ strict: true })
    for (const expression of ['1 + 1', '1 / 3', 'sqrt(2)']) {
      const answer = calculate(expression)
      const isValid = ajv.validate(schema?.output_schema ?? {}, answer)
      expect(isValid, ajv.errorsText()).to.equal(true)
    }
    const answer = { expression: '1 / 3', result: '0.3', exact: false, fraction: '1/3' }
    const { fraction: _, ...whole } = answer
    expect(ajv.validate(schema?.output_schema ?? {}, whole)).to.equal(true)
    for (const wrong of [
      '0.3',
      { ...answer, result: 0.3 },
      { ...answer, exact: 'no' },
      { ...answer, fraction: 3 },
      { ...answer, more: 1 },
      ...Object.keys(whole).map((gone) => ({ ...answer, [gone]: undefined })),
    ]) {
      const json: unknown = JSON.parse(JSON.stringify(wrong))
      expect(ajv.validate(schema?.output_schema ?? {}, json), JSON.stringify(wrong)).to.equal(false)
    }
  })

  const exact: readonly [expression: string, result: string][] = [
    ['12 * 34', '408'],
    ['0.1 + 0.2', '0.3'],
    ['1 / 8', '0.125'],
    ['10 % 3', '1'],
    ['-10 % 3', '-1'],
    ['5.5 % 2', '1.5'],
    ['2 ^ 10', '1024'],
    ['2 ** 10', '1024'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2 ^ 2', '-4'],
    ['(-2) ^ 2', '4'],
    ['2 ^ -2', '0.25'],
    ['9 ^ 0.5', '3'],
    ['4 ^ -1.5', '0.125'],
    ['0 ^ 0', '1'],
    ['(-1) ^ 999999999', '-1'],
    ['1 - -1', '2'],
    ['2 - 3 - 4', '-5'],
    ['8 / 4 / 2', '1'],
    ['1.5e3 + .5 + 2.', '1502.5'],
    ['1e-3', '0.001'],
    ['3 × 4 ÷ 2 − 1', '5'],
    ['sqrt(16) + abs(-3)', '7'],
    ['sqrt(0.25)', '0.5'],
    ['round(2.5) + round(-2.5)', '0'],
    ['round(2.345, 2)', '2.35'],
    ['round(1234, -2)', '1200'],
    ['floor(-1.5) + ceil(-1.5) + trunc(-1.5)', '-4'],
    ['min(3, 1, 2) + max(3, 1, 2)', '4'],
    ['MAX(1, 2)', '2'],
    ['2 ^ 200', '1606938044258990275541962092341162602522202993782792835301376'],
    ['99999999999999999999 + 1', '100000000000000000000'],
  ]
  for (const [expression, result] of exact) {
    it(`computes ${expression} exactly`, () => {
      expect(calculate(expression)).to.deep.equal({ expression, result, exact: true })
    })
  }

  const approximate: readonly [expression: string, result: string, fraction?: string][] = [
    ['1 / 3', '0.33333333333333333333', '1/3'],
    ['-2 / 3', '-0.66666666666666666667', '-2/3'],
    ['100 / 7', '14.285714285714285714', '100/7'],
    ['sqrt(2)', '1.4142135623730950488'],
    ['2 ^ 0.5', '1.4142135623730950488'],
    ['2 * pi', '6.2831853071795864769'],
    ['8 ^ (1 / 3)', '2'],
  ]
  for (const [expression, result, fraction] of approximate) {
    it(`marks ${expression} as rounded`, () => {
      const shown = { expression, result, exact: false }
      expect(calculate(expression)).to.deep.equal(fraction ? { ...shown, fraction } : shown)
    })
  }

  const faults: readonly [expression: string, message: string][] = [
    ['', 'the expression is empty'],
    ['1 / 0', 'division by zero'],
    ['5 % 0', 'division by zero'],
    ['0 ^ -1', 'division by zero'],
    ['2 (3)', 'an operator is missing before "(" at position 3'],
    ['(1 + 2', 'the "(" at position 1 is not closed'],
    ['1 + 2)', 'the ")" at position 6 has no matching "("'],
    ['1 +', 'the expression ends where a number is expected'],
    ['* 2', 'a number is missing before "*" at position 1'],
    ['1,000', 'an operator is missing before "," at position 2'],
    ['2 & 3', '"&" at position 3 is not part of an expression'],
    ['foo(1)', '"foo" is unknown; known names are abs'],
    ['constructor', '"constructor" is unknown'],
    ['sqrt', '"sqrt" is a function; write its argument in parentheses'],
    ['sqrt(1, 2)', '"sqrt" takes 1 argument, not 2'],
    ['max()', '"max" takes 1 or more arguments, not 0'],
    ['round(1, 2, 3)', '"round" takes 1 to 2 arguments, not 3'],
    ['round(1, 0.5)', 'whole number of digits'],
    ['sqrt(-1)', 'the square root of a negative number'],
    ['(-8) ^ (1 / 3)', 'a fractional power of a negative number'],
    ['9 ^ 9 ^ 9', 'the result is too large'],
    ['2 ^ 99999', 'the result is too large'],
    ['1e2000 ^ (1 / 3)', 'the result is too large'],
    ['1e9999', 'the exponent of "1e9999" is larger than 2000'],
    [`${'('.repeat(200)}1${')'.repeat(200)}`, 'nested deeper than 100 levels'],
    ['-'.repeat(500) + 1, 'nested deeper than 100 levels'],
    ['1+'.repeat(600) + 1, 'longer than 1,000 characters'],
  ]
  for (const [expression, message] of faults) {
    it(`says what is wrong with "${expression.slice(0, 20)}"`, () => {
      expect(faultOf(expression)).to.include(message)
    })
  }

  it('says what it needs, where its input is something else', () => {
    for (const input of [null, 'a', {}, { expression: 1 }]) {
      expect(execute(input)).to.deep.equal({
        output: 'The calculator needs {"expression": "…"}; the expression is a text.',
        isError: true,
      })
    }
  })

  it('is done soon with whatever grows', () => {
    const fractions = Array.from({ length: 90 }, (_, index) => `${index + 7}^-99`).join('+')
    expect(fractions.length).to.be.at.most(1000)
    expect(faultOf(fractions)).to.include('too large')
    expect(calculate(`${'sqrt('.repeat(60)}2^8000${')'.repeat(60)}`).exact).to.equal(false)
  })

  it('says of its tool that it is safe', () => {
    const [schema] = calculator.getToolSchemas()
    expect(schema?.safety).to.deep.equal({
      is_read_only: true,
      is_concurrency_safe: true,
      is_destructive: false,
    })
  })

  it('computes what fractions of whole numbers come to', () => {
    fc.assert(
      fc.property(tree(4), (node) => {
        const expected = referenceOf(node)
        const { output, isError } = execute({ expression: textOf(node) })
        if (expected === undefined) {
          expect(isError).to.equal(true)
          return
        }
        expect(isError, String(output)).to.equal(undefined)
        expect(fractionOf(output as Calculated)).to.deep.equal(expected)
      }),
      { numRuns: propertyRuns(1000) },
    )
  })

  it('answers any text with a result or a sentence', () => {
    const sign = fc.constantFrom(
      '1',
      '2.5',
      '+',
      '-',
      '*',
      '/',
      '^',
      '(',
      ')',
      ',',
      ' ',
      'e',
      'pi',
      'sqrt',
      'max',
      '%',
      '.',
    )
    const texts = fc.oneof(
      fc.string(),
      fc.array(sign, { maxLength: 60 }).map((signs) => signs.join('')),
    )
    fc.assert(
      fc.property(texts, (expression) => {
        const { output, isError } = execute({ expression })
        expect(isError ? output : (output as Calculated).result)
          .to.be.a('string')
          .that.is.not.equal('')
      }),
      { numRuns: propertyRuns(2000) },
    )
  })
})

type Fraction = readonly [numerator: bigint, denominator: bigint]
type Node =
  | number
  | { readonly sign: '+' | '-' | '*' | '/'; readonly left: Node; readonly right: Node }

function tree(depth: number): fc.Arbitrary<Node> {
  const leaf = fc.integer({ min: 0, max: 9 })
  if (depth === 0) return leaf
  const inner = fc.record({
    sign: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const),
    left: tree(depth - 1),
    right: tree(depth - 1),
  })
  return fc.oneof(leaf, inner)
}

function textOf(node: Node): string {
  return typeof node === 'number'
    ? `${node}`
    : `(${textOf(node.left)} ${node.sign} ${textOf(node.right)})`
}

/** The reference: fractions that are never shortened but at the end. */
function referenceOf(node: Node): Fraction | undefined {
  if (typeof node === 'number') return [BigInt(node), 1n]
  const left = referenceOf(node.left)
  const right = referenceOf(node.right)
  if (!left || !right) return undefined
  const [a, b] = left
  const [c, d] = right
  if (node.sign === '+') return shorten(a * d + c * b, b * d)
  if (node.sign === '-') return shorten(a * d - c * b, b * d)
  if (node.sign === '*') return shorten(a * c, b * d)
  return c === 0n ? undefined : shorten(a * d, b * c)
}

function shorten(numerator: bigint, denominator: bigint): Fraction {
  let [x, y] = [
    numerator < 0n ? -numerator : numerator,
    denominator < 0n ? -denominator : denominator,
  ]
  while (y !== 0n) [x, y] = [y, x % y]
  const sign = denominator < 0n ? -1n : 1n
  return [(sign * numerator) / (x || 1n), (sign * denominator) / (x || 1n)]
}

function fractionOf({ result, exact, fraction }: Calculated): Fraction {
  if (!exact) {
    const [numerator = '', denominator = ''] = (fraction ?? '').split('/')
    return [BigInt(numerator), BigInt(denominator)]
  }
  const [whole = '', digits = ''] = result.split('.')
  return shorten(BigInt(`${whole}${digits}`), 10n ** BigInt(digits.length))
}
