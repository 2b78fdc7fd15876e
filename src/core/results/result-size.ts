/** The most bytes of a UTF-16 code unit: in UTF-8, and in a JSON text, where it may be written as an escape. */
const MOST_PLAIN = 3
const MOST_ESCAPED = 6
/** The bounds of a number, a boolean or null as JSON, in bytes. */
const SHORTEST = 1
const LONGEST = 25

/**
 * Whether a tool's output has more than `most` bytes in UTF-8 as the model gets it: a string as it is, any other value
 * as JSON. Most outputs are far smaller, so the value is only encoded if its bounds do not decide.
 */
export function isLarger(output: unknown, most: number): boolean {
  if (typeof output === 'string') {
    if (output.length * MOST_PLAIN <= most) return false
    return output.length > most || Buffer.byteLength(output) > most
  }
  const worth = most * WORTH_ENCODING
  const bound = worth - roomAfter(output, worth, LARGEST)
  if (bound <= most) return false
  return (bound > worth && roomAfter(output, most, SMALLEST) < 0) || encodedSize(output) > most
}

/** A value whose upper bound is at most so many limits is encoded, which is cheaper than a second look at it. */
const WORTH_ENCODING = 8

/** How many bytes a value's pieces take as JSON: at least, or at most. */
interface Rates {
  readonly unit: number
  readonly other: number
}

const SMALLEST: Rates = { unit: 1, other: SHORTEST }
const LARGEST: Rates = { unit: MOST_ESCAPED, other: LONGEST }

/** Subtracts the size of a value as JSON from the room for it. Stops as soon as there is none. */
function roomAfter(value: unknown, room: number, rates: Rates): number {
  if (typeof value === 'string') return room - 2 - value.length * rates.unit
  if (typeof value !== 'object' || value === null) return room - rates.other
  let left = room - 2
  if (Array.isArray(value)) {
    left -= Math.max(0, value.length - 1)
    for (let at = 0; at < value.length && left >= 0; at++) left = roomAfter(value[at], left, rates)
    return left
  }
  let separators = 3
  for (const key of Object.keys(value)) {
    if (left < 0) return left
    const inner: unknown = (value as { readonly [key: string]: unknown })[key]
    if (inner === undefined) continue
    left = roomAfter(inner, left - separators - key.length * rates.unit, rates)
    separators = 4
  }
  return left
}

function encodedSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
