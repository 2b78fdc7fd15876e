import { absolute, type Rational } from './rational.ts'

/** Significant digits of a rounded number. */
const DIGITS = 20
/** The maximum number of decimal places of an exact number. */
const MOST_PLACES = 100
/** The maximum length of a fraction that is shown beside the digits. */
const LONGEST_FRACTION = 40

/** A result in the form that the tool returns. */
export interface Shown {
  readonly result: string
  /** False if `result` is rounded, or computed from a root or a constant. */
  readonly exact: boolean
  /** The exact value of a number with infinitely many digits, such as 1/3. */
  readonly fraction?: string
}

export function show(value: Rational): Shown {
  const places = placesOf(value.denominator)
  if (value.isExact && places !== undefined && places <= MOST_PLACES) {
    return { result: toDecimal(value, places), exact: true }
  }
  const shown = { result: approximate(value), exact: false }
  const fraction = `${value.numerator}/${value.denominator}`
  return value.isExact && fraction.length <= LONGEST_FRACTION ? { ...shown, fraction } : shown
}

/** The decimal places that a fraction needs; `undefined` if they never end. */
function placesOf(denominator: bigint): number | undefined {
  const [twos, withoutTwos] = takeOut(denominator, 2n)
  const [fives, rest] = takeOut(withoutTwos, 5n)
  return rest === 1n ? Math.max(twos, fives) : undefined
}

/** How often a number is divisible by a factor, and the rest. It divides by squares first, to save divisions. */
function takeOut(value: bigint, factor: bigint): [count: number, rest: bigint] {
  if (value % factor !== 0n) return [0, value]
  const [pairs, rest] = takeOut(value, factor * factor)
  return rest % factor === 0n ? [2 * pairs + 1, rest / factor] : [2 * pairs, rest]
}

function approximate(value: Rational): string {
  const whole = (absolute(value.numerator) / value.denominator).toString()
  const places = whole === '0' ? DIGITS + leadingZeros(value) : Math.max(0, DIGITS - whole.length)
  return trimZeros(toDecimal(value, places))
}

/** The number of zeros between the decimal point and the first non-zero digit. */
function leadingZeros({ numerator, denominator }: Rational): number {
  if (numerator === 0n) return 0
  const zeros = denominator.toString().length - absolute(numerator).toString().length
  return Math.max(0, zeros - 1)
}

/** Decimal notation. The last digit is rounded, halves away from zero. */
function toDecimal({ numerator, denominator }: Rational, places: number): string {
  const scaled = absolute(numerator) * 10n ** BigInt(places)
  const rounded = (scaled * 2n + denominator) / (denominator * 2n)
  const digits = rounded.toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places)
  const sign = numerator < 0n && rounded !== 0n ? '-' : ''
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function trimZeros(decimal: string): string {
  if (!decimal.includes('.')) return decimal
  let end = decimal.length
  while (decimal[end - 1] === '0') end--
  if (decimal[end - 1] === '.') end--
  return decimal.slice(0, end)
}
