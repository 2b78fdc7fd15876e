import { bitsOf, spend, wordsOf } from './work.ts'

/** What a number of floating point holds of the heads of two numbers, with room for what is added to them. */
const HEAD_BITS = 50
const SMALL = 2n ** 64n

/**
 * The greatest common divisor of two numbers that are not negative, 1 of two zeros. Of long ones the heads are divided
 * as numbers of floating point, for as long as the quotients are certain (Lehmer): Euclid's own steps would each be
 * over all digits, which takes 30 times as long.
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

/** Where the head of a number begins that was longer before. */
function headFrom(value: bigint, before: number): number {
  for (let shift = before; ; ) {
    const head = Number(value >> BigInt(shift))
    const missing = HEAD_BITS - (head === 0 ? 0 : Math.floor(Math.log2(head)) + 1)
    if (missing <= 0 || shift === 0) return shift
    shift = Math.max(0, shift - missing)
  }
}

/** As a matrix, the steps of Euclid that the heads of two numbers are enough for. */
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
