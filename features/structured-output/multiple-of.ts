import type { FuncKeywordDefinition } from 'ajv'

/**
 * Replaces ajv's `multipleOf`, which divides floats: 0.3 / 0.1 is no whole number. It compares the numbers as JSON writes
 * them.
 */
export const MULTIPLE_OF = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: { message: ({ schema }) => `must be multiple of ${String(schema)}` },
  validate: isMultiple,
} as const satisfies FuncKeywordDefinition

function isMultiple(step: number, value: number): boolean {
  if (Number.isSafeInteger(step) && Number.isSafeInteger(value)) return value % step === 0
  const [whole, exponent] = decimalOf(value)
  const [wholeStep, exponentOfStep] = decimalOf(step)
  const least = Math.min(exponent, exponentOfStep)
  const scaled = wholeStep * 10n ** BigInt(exponentOfStep - least)
  return scaled !== 0n && (whole * 10n ** BigInt(exponent - least)) % scaled === 0n
}

/** A number as a whole number times a power of ten. */
function decimalOf(value: number): readonly [whole: bigint, exponent: number] {
  const [digits = '', exponent] = value.toExponential().split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
