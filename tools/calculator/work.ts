import { CalculatorError } from './calculator-error.ts'

/**
 * The most work of one expression, in products of two words of 64 bits: some 30 milliseconds. A sum of a hundred
 * fractions takes a twentieth of it.
 */
export const MOST_WORK = 1_000_000

let spent = 0

/** What a computation comes to, and the work that it took. Nothing in it waits, so no other one comes between. */
export function counted<T>(compute: () => T): { readonly value: T; readonly work: number } {
  spent = 0
  const value = compute()
  return { value, work: spent }
}

/** Counts what is about to be done with numbers of so many words. @throws {CalculatorError} where it is too much */
export function spend(words: number, times = words): void {
  spent += words * times + 4 * (words + times)
  if (spent > MOST_WORK) {
    throw new CalculatorError(
      'it takes too much work; write it with fewer or smaller fractions, or in steps',
    )
  }
}

/** Binary digits of a number without its sign. */
export function bitsOf(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16)
  return 4 * digits.length - Math.clz32(Number.parseInt(digits[0] ?? '0', 16)) + 28
}

export function wordsOf(value: bigint): number {
  return Math.ceil(bitsOf(value) / 64)
}
