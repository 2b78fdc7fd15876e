import { CalculatorError } from './calculator-error.ts'
import { commonDivisor } from './common-divisor.ts'
import { bitsOf, spend, wordsOf } from './work.ts'

/** A fraction in lowest terms with a positive denominator; `isExact` is false after a root or `pi` was used. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
  readonly isExact: boolean
}

/** Larger numbers (about 2,400 digits) are refused, so that no input can block the process. */
const MOST_BITS = 8_192

/** Significant digits of an approximate root or power. */
const ROOT_DIGITS = 40n

export function rational(numerator: bigint, denominator = 1n, isExact = true): Rational {
  if (denominator === 0n) throw new CalculatorError('division by zero')
  const sign = denominator < 0n ? -1n : 1n
  const divisor = commonDivisor(absolute(numerator), absolute(denominator)) * sign
  const value = { numerator: numerator / divisor, denominator: denominator / divisor, isExact }
  checkSize(bitsOf(value.numerator), bitsOf(value.denominator))
  return value
}

export function add(left: Rational, right: Rational): Rational {
  const numerator = left.numerator * right.denominator + right.numerator * left.denominator
  return rational(numerator, left.denominator * right.denominator, bothExact(left, right))
}

export function negate(value: Rational): Rational {
  return { ...value, numerator: -value.numerator }
}

export function subtract(left: Rational, right: Rational): Rational {
  return add(left, negate(right))
}

export function multiply(left: Rational, right: Rational): Rational {
  const numerator = left.numerator * right.numerator
  return rational(numerator, left.denominator * right.denominator, bothExact(left, right))
}

export function divide(left: Rational, right: Rational): Rational {
  const numerator = left.numerator * right.denominator
  return rational(numerator, left.denominator * right.numerator, bothExact(left, right))
}

/** The remainder of a division. It has the sign of the dividend, as in JavaScript and C. */
export function remainder(left: Rational, right: Rational): Rational {
  return subtract(left, multiply(right, truncate(divide(left, right))))
}

export function compare(left: Rational, right: Rational): number {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

export function truncate(value: Rational): Rational {
  return rational(value.numerator / value.denominator, 1n, value.isExact)
}

export function floor(value: Rational): Rational {
  const whole = truncate(value)
  return compare(whole, value) > 0 ? subtract(whole, rational(1n)) : whole
}

/** Exact for whole exponents. An exponent of a half is a square root. All others are approximate. */
export function power(base: Rational, exponent: Rational): Rational {
  if (exponent.denominator === 1n) return wholePower(base, exponent)
  if (exponent.denominator === 2n) {
    return wholePower(squareRoot(base), rational(exponent.numerator, 1n, exponent.isExact))
  }
  if (base.numerator < 0n) {
    throw new CalculatorError('a fractional power of a negative number is not a real number')
  }
  return fromNumber(toNumber(base) ** toNumber(exponent))
}

export function squareRoot(value: Rational): Rational {
  const { numerator, denominator, isExact } = value
  if (numerator < 0n)
    throw new CalculatorError('the square root of a negative number is not a real number')
  spend(wordsOf(numerator), wordsOf(denominator))
  const top = wholeRoot(numerator)
  const bottom = wholeRoot(denominator)
  if (top * top === numerator && bottom * bottom === denominator)
    return rational(top, bottom, isExact)
  spend(Math.ceil((wordsOf(numerator) + wordsOf(denominator)) / 2) + 8)
  const scale = 10n ** (ROOT_DIGITS + BigInt(denominator.toString().length))
  const root = wholeRoot((numerator * scale * scale) / denominator)
  return rational(root, scale, false)
}

/** The nearest floating-point number. */
function toNumber({ numerator, denominator }: Rational): number {
  spend(wordsOf(numerator) + wordsOf(denominator))
  const missing = denominator.toString().length - absolute(numerator).toString().length
  const shift = Math.max(0, missing + 25)
  return Number(`${(numerator * 10n ** BigInt(shift)) / denominator}e-${shift}`)
}

function fromNumber(value: number): Rational {
  if (!Number.isFinite(value)) throw new CalculatorError('the result is too large')
  const [digits = '0', exponent = '0'] = value.toExponential(15).split('e')
  const places = 15 - Number(exponent)
  const whole = BigInt(digits.replace('.', ''))
  if (Math.abs(places) > 600) throw new CalculatorError('the result is too large or too small')
  return places < 0
    ? rational(whole * 10n ** BigInt(-places), 1n, false)
    : rational(whole, 10n ** BigInt(places), false)
}

function wholePower(base: Rational, exponent: Rational): Rational {
  const isExact = bothExact(base, exponent)
  const times = absolute(exponent.numerator)
  const isTrivial = base.denominator === 1n && absolute(base.numerator) <= 1n
  if (!isTrivial && times > 0n) {
    if (times > BigInt(MOST_BITS)) throw tooLarge()
    const bits = Math.max(bitsOf(base.numerator), bitsOf(base.denominator)) - 1
    if (bits * Number(times) > MOST_BITS) throw tooLarge()
  }
  // For the bases 1, 0 and -1 only the parity of the exponent matters.
  const count = isTrivial && times > 0n ? 2n - (times % 2n) : times
  const top = base.numerator ** count
  const bottom = base.denominator ** count
  return exponent.numerator < 0n ? rational(bottom, top, isExact) : rational(top, bottom, isExact)
}

/** The integer square root (rounded down), by Newton's method with a precision that doubles in each step. */
function wholeRoot(value: bigint): bigint {
  if (value === 0n) return 0n
  const bits = (bitsOf(value) - 1) >> 1
  let [root, known] = [1n, 0]
  for (let step = 31 - Math.clz32(bits); step >= 0; step--) {
    const wanted = bits >> step
    const head = value >> BigInt(2 * bits - known - wanted + 1)
    root = (root << BigInt(wanted - known - 1)) + head / root
    known = wanted
  }
  return root * root > value ? root - 1n : root
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

function bothExact(left: Rational, right: Rational): boolean {
  return left.isExact && right.isExact
}

function checkSize(...bits: number[]): void {
  if (bits.some((count) => count > MOST_BITS)) throw tooLarge()
}

function tooLarge(): CalculatorError {
  return new CalculatorError('the result is too large; numbers may have about 2,400 digits')
}
