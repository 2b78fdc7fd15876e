import { CalculatorError } from './calculator-error.ts'

/**
 * The maximum work of one expression, in products of two 64-bit words: about 30 milliseconds. A sum of a hundred
 * fractions needs a twentieth of it.
 */
export const MOST_WORK = 1_000_000

let spent = 0

/** Runs a computation and measures its work. It is synchronous, so computations do not overlap. */
export function counted<T>(compute: () => T): { readonly value: T; readonly work: number } {
  spent = 0
  const value = compute()
  return { value, work: spent }
}

/** Adds the work of an operation on numbers of so many words. @throws {CalculatorError} if the limit is exceeded */
export function spend(words: number, times = words): void {
  spent += words * times + 4 * (words + times)
  if (spent > MOST_WORK) {
    throw new CalculatorError(
      'it takes too much work; use fewer or smaller fractions, or compute it in steps',
    )
  }
}

/** The number of binary digits of a number, without its sign. */
export function bitsOf(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16)
  return 4 * digits.length - Math.clz32(Number.parseInt(digits[0] ?? '0', 16)) + 28
}

export function wordsOf(value: bigint): number {
  return Math.ceil(bitsOf(value) / 64)
}
