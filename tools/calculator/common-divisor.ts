import { bitsOf, spend, wordsOf } from './work.ts'

/** The number of leading bits that fit a floating-point number, with some bits left for additions. */
const HEAD_BITS = 50
const SMALL = 2n ** 64n

/**
 * The greatest common divisor of two non-negative numbers; 1 for two zeros. For long numbers it uses Lehmer's method:
 * the leading bits are divided as floating-point numbers as long as the quotients are certain. Euclid's method would
 * use all digits in each step, which takes 30 times as long.
 */
export function commonDivisor(left: bigint, right: bigint): bigint {
  spend(wordsOf(left), wordsOf(right))
  let [larger, smaller] = left < right ? [right, left] : [left, right]
  let shift = Math.max(0, bitsOf(larger) - HEAD_BITS)
  while (smaller >= SMALL) {
    shift = headFrom(larger, shift)
    const [a, b, c, d] = certainSteps(
      Number(larger >> BigInt(shift)),
      Number(smaller >> BigInt(shift)),
    )
    if (b === 0) [larger, smaller] = [smaller, larger % smaller]
    else {
      const next = BigInt(c) * larger + BigInt(d) * smaller
      larger = BigInt(a) * larger + BigInt(b) * smaller
      smaller = next
    }
  }
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger === 0n ? 1n : larger
}

/** The position of the leading bits of a number. The number was longer in the step before. */
function headFrom(value: bigint, before: number): number {
  for (let shift = before; ; ) {
    const head = Number(value >> BigInt(shift))
    const missing = HEAD_BITS - (head === 0 ? 0 : Math.floor(Math.log2(head)) + 1)
    if (missing <= 0 || shift === 0) return shift
    shift = Math.max(0, shift - missing)
  }
}

/** The Euclidean steps that the leading bits determine, as a matrix. */
function certainSteps(larger: number, smaller: number): readonly [number, number, number, number] {
  let [high, low] = [larger, smaller]
  let [a, b, c, d] = [1, 0, 0, 1]
  while (low + c !== 0 && low + d !== 0) {
    const quotient = Math.floor((high + a) / (low + c))
    if (quotient !== Math.floor((high + b) / (low + d))) break
    ;[a, c] = [c, a - quotient * c]
    ;[b, d] = [d, b - quotient * d]
    ;[high, low] = [low, high - quotient * low]
  }
  return [a, b, c, d]
}
