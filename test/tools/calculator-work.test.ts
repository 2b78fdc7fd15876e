import { expect } from 'chai'
import fc from 'fast-check'
import { CalculatorError } from '../../tools/calculator/calculator-error.ts'
import { commonDivisor } from '../../tools/calculator/common-divisor.ts'
import { evaluate, LONGEST_EXPRESSION } from '../../tools/calculator/evaluate.ts'
import { show } from '../../tools/calculator/format.ts'
import calculator from '../../tools/calculator/index.ts'
import { rational, squareRoot } from '../../tools/calculator/rational.ts'
import { counted, MOST_WORK } from '../../tools/calculator/work.ts'
import { propertyRuns } from '../helpers/cases.ts'

/** One thing in another, as often as fits into an expression. */
function tower(before: string, core: string, after: string): string {
  const room = LONGEST_EXPRESSION - core.length
  const times = Math.min(95, Math.floor(room / (before.length + after.length)))
  return before.repeat(times) + core + after.repeat(times)
}

/** One thing after another, as often as fits. */
function row(first: string, next: string): string {
  const times = Math.floor((LONGEST_EXPRESSION - first.length) / next.length)
  return first + next.repeat(times)
}

const LARGE: readonly string[] = [
  tower('1/(1+', '7', ')'),
  tower('1/(3+', 'pi', ')/e'),
  tower('sqrt(', '7e1999/3', ')'),
  tower('round(', '1e2000/7', ',99)'),
  tower('(', '9^2400/7^2400', '+1/3)'),
  tower('floor(', '-1e2000/7e-300', ')'),
  row('pi', '*pi'),
  row('1e2000/3', '+1e2000/7'),
  row('1e2000', '%7.1e-300'),
  row('sqrt(2e2000/7e10)', '+sqrt(2e2000/7e10)'),
  row('1', '+(1/3+1/7)^400'),
  `(1/3)^0.3${'^0.7'.repeat(90)}`,
  row('1/2^8000', '+1/2^8000'),
  '9'.repeat(LONGEST_EXPRESSION),
  `.${'9'.repeat(LONGEST_EXPRESSION - 1)}`,
]

/** What an expression takes, or why it was given up; nothing else may come of it. */
function workOf(expression: string): number | string {
  try {
    return counted(() => show(evaluate(expression))).work
  } catch (error) {
    if (!(error instanceof CalculatorError)) throw error
    return error.message
  }
}

describe('the work of a calculation', () => {
  for (const expression of LARGE) {
    it(`is bounded for ${expression.slice(0, 30)}…`, () => {
      const work = workOf(expression)
      if (typeof work === 'string') expect(work).to.match(/too much work|too large/)
      else expect(work).to.be.at.most(MOST_WORK)
    })
  }

  it('is bounded for expressions of large fractions', () => {
    const number = fc.constantFrom(
      '7e1999',
      '1/3',
      '9^2400',
      '1e-2000',
      'pi',
      '.1',
      '(2/3)^999',
      '0',
    )
    const operator = fc.constantFrom('+', '-', '*', '/', '%', '^')
    const wrapped = fc.constantFrom('sqrt(', 'round(', 'floor(', '(', '1/(1+', '-(')
    const piece = fc.tuple(fc.option(wrapped, { nil: '' }), number, operator)
    const pieces = fc.array(piece, { minLength: 1, maxLength: 120 })
    fc.assert(
      fc.property(pieces, number, (list, last) => {
        const open = list.map(([before, value, sign]) => before + value + sign).join('') + last
        const missing = open.split('(').length - open.split(')').length
        const expression = open + ')'.repeat(Math.max(0, missing))
        const work = workOf(expression.slice(0, LONGEST_EXPRESSION))
        if (typeof work === 'number') expect(work).to.be.at.most(MOST_WORK)
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  it('is a small part of what is allowed for a sum of a hundred fractions', () => {
    const sum = Array.from({ length: 100 }, (_, index) => `1/${index + 101}`).join('+')
    expect(workOf(sum))
      .to.be.a('number')
      .and.to.be.below(MOST_WORK / 20)
    expect(workOf('(1 + 0.05 / 12) ^ (12 * 30) * 250000')).to.be.below(MOST_WORK / 20)
  })

  it('ends with a sentence where it is too much', () => {
    const expression = row('1/7^1400', '+1/3^2500')
    const input = { expression }
    const result = calculator.executeTool({ callId: 'c', name: 'calculate', input })
    expect(result).to.deep.include({ isError: true })
    expect(String((result as { output: unknown }).output)).to.include(
      'it takes too much work; use fewer or smaller fractions, or compute it in steps',
    )
  })

  it('counts the root of a fraction as about three products of its parts', () => {
    // Of 110 words each.
    const fraction = counted(() => rational(2n ** 7040n + 1n, 3n ** 4400n)).value
    expect(counted(() => squareRoot(fraction)).work).to.be.above(3 * 110 * 110)
  })

  it('finds the root of any square', () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 3000n })
    fc.assert(
      fc.property(number, (value) => {
        const expected = { numerator: value, denominator: 1n, isExact: true }
        expect(counted(() => squareRoot(rational(value * value))).value).to.deep.equal(expected)
      }),
    )
  })

  it('comes to the same divisor as Euclid', () => {
    const long = fc.bigInt({ min: 0n, max: 2n ** 3000n })
    const common = fc.bigInt({ min: 1n, max: 2n ** 900n })
    fc.assert(
      fc.property(long, long, common, (left, right, factor) => {
        const [one, other] = [left * factor, right * factor]
        expect(counted(() => commonDivisor(one, other)).value).to.equal(euclid(one, other))
      }),
      { numRuns: propertyRuns(500) },
    )
    const [one, other] = fibonacci(5000)
    expect(counted(() => commonDivisor(one * 30n, other * 30n)).value).to.equal(30n)
    expect(counted(() => commonDivisor(0n, 0n)).value).to.equal(1n)
  })
})

function euclid(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger === 0n ? 1n : larger
}

/** Neighbors, over which Euclid takes the most steps. */
function fibonacci(count: number): [bigint, bigint] {
  let [one, other] = [1n, 1n]
  for (let at = 0; at < count; at++) [one, other] = [other, one + other]
  return [one, other]
}
