import { CalculatorError } from './calculator-error.ts'
import {
  absolute,
  add,
  compare,
  divide,
  floor,
  multiply,
  negate,
  power,
  type Rational,
  rational,
  squareRoot,
  truncate,
} from './rational.ts'

type Apply = (first: Rational, ...rest: Rational[]) => Rational

interface MathFunction {
  /** Minimum and maximum number of arguments. */
  readonly takes: readonly [number, number]
  readonly apply: Apply
}

/** The maximum number of decimal places for `round`. */
const MOST_PLACES = 100n

const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  [
    'abs',
    { takes: [1, 1], apply: (value) => ({ ...value, numerator: absolute(value.numerator) }) },
  ],
  ['ceil', { takes: [1, 1], apply: (value) => negate(floor(negate(value))) }],
  ['floor', { takes: [1, 1], apply: (value) => floor(value) }],
  ['max', { takes: [1, Infinity], apply: (...values) => values.reduce(larger) }],
  ['min', { takes: [1, Infinity], apply: (...values) => values.reduce(smaller) }],
  ['round', { takes: [1, 2], apply: (value, places = rational(0n)) => round(value, places) }],
  ['sqrt', { takes: [1, 1], apply: (value) => squareRoot(value) }],
  ['trunc', { takes: [1, 1], apply: (value) => truncate(value) }],
])

const CONSTANTS: ReadonlyMap<string, Rational> = new Map([
  ['pi', rational(3141592653589793238462643383279502884197n, 10n ** 39n, false)],
  ['e', rational(2718281828459045235360287471352662497757n, 10n ** 39n, false)],
])

export const FUNCTION_NAMES: readonly string[] = [...FUNCTIONS.keys()]

/** @throws {CalculatorError} if the function is unknown, or gets a wrong number of arguments */
export function applyFunction(name: string, given: readonly Rational[]): Rational {
  const found = FUNCTIONS.get(name.toLowerCase())
  if (!found) throw unknownName(name)
  const [first, ...rest] = given
  const [least, most] = found.takes
  if (!first || given.length < least || given.length > most) {
    const takes =
      least === most ? `${least}` : most === Infinity ? `${least} or more` : `${least} to ${most}`
    const noun = takes === '1' ? 'argument' : 'arguments'
    throw new CalculatorError(`"${name}" takes ${takes} ${noun}, not ${given.length}`)
  }
  return found.apply(first, ...rest)
}

export function constantOf(name: string): Rational {
  const value = CONSTANTS.get(name.toLowerCase())
  if (value) return value
  if (FUNCTIONS.has(name.toLowerCase())) {
    throw new CalculatorError(
      `"${name}" is a function; write its argument in parentheses, ${name}(…)`,
    )
  }
  throw unknownName(name)
}

/** Rounds halves away from zero. */
function round(value: Rational, places: Rational): Rational {
  if (places.denominator !== 1n || absolute(places.numerator) > MOST_PLACES) {
    throw new CalculatorError(`"round" takes a whole number of digits up to ${MOST_PLACES}`)
  }
  const scale = power(rational(10n), places)
  const half = rational(value.numerator < 0n ? -1n : 1n, 2n)
  return divide(truncate(add(multiply(value, scale), half)), scale)
}

function larger(left: Rational, right: Rational): Rational {
  return compare(left, right) < 0 ? right : left
}

function smaller(left: Rational, right: Rational): Rational {
  return compare(left, right) > 0 ? right : left
}

function unknownName(name: string): CalculatorError {
  const known = [...FUNCTIONS.keys(), ...CONSTANTS.keys()].join(', ')
  return new CalculatorError(`"${name}" is unknown; known names are ${known}`)
}
