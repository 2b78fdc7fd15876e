import { isObject, type JsonObject } from '@braidwork/plugin'
import type { Lost } from './lost.ts'
import { isRegular } from './patterns.ts'
import type { StrictRules } from './strict-schema.ts'

/** https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas */
const FORMATS = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '))
const BOUNDS = new Set(
  'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum minItems maxItems'.split(' '),
)

export const OPENAI_STRICT: StrictRules = {
  hasBound: (keyword, value) => {
    if (keyword === 'format') return FORMATS.has(String(value))
    return keyword === 'pattern' ? isRegular(value) : BOUNDS.has(keyword)
  },
  requiresAll: true,
  takesNulls: true,
  hasRecursion: true,
  typesValues: true,
}

const MOST_PROPERTIES = 5000
const DEEPEST = 10
const MOST_VALUES = 1000
const LONGEST_NAMES = 120_000
/** An enum with more values than this has an additional limit for their total length. */
const MANY_VALUES = 250
const LONGEST_VALUES = 15_000

/** Lists the API limits that a schema exceeds. */
export function openaiLimits(schema: JsonObject): readonly Lost[] {
  const size: Size = { properties: 0, values: 0, names: 0, depth: 0, longest: 0 }
  measure(schema, 0, size)
  const faults = [
    [size.properties > MOST_PROPERTIES, 'properties', `more than ${MOST_PROPERTIES} properties`],
    [size.depth > DEEPEST, 'properties', `nesting deeper than ${DEEPEST} levels`],
    [size.values > MOST_VALUES, 'enum', `more than ${MOST_VALUES} values of enums`],
    [
      size.names > LONGEST_NAMES,
      'properties',
      `names and values with more than ${LONGEST_NAMES} characters`,
    ],
    [
      size.longest > LONGEST_VALUES,
      'enum',
      `a large enum with more than ${LONGEST_VALUES} characters`,
    ],
  ] as const
  return faults.flatMap(([isTooMuch, keyword, reason]) =>
    isTooMuch ? [{ pointer: '', keyword, reason, effect: 'same' as const }] : [],
  )
}

interface Size {
  properties: number
  values: number
  /** The characters in the names of properties and definitions, and in enum values. */
  names: number
  depth: number
  /** The characters in the values of the longest large enum. */
  longest: number
}

function measure(schema: unknown, depth: number, size: Size): void {
  if (!isObject(schema)) return
  const { properties, $defs, enum: values, items, anyOf } = schema
  size.depth = Math.max(size.depth, depth)
  for (const [name, inner] of Object.entries(isObject(properties) ? properties : {})) {
    size.properties++
    size.names += name.length
    measure(inner, depth + 1, size)
  }
  for (const [name, inner] of Object.entries(isObject($defs) ? $defs : {})) {
    size.names += name.length
    measure(inner, depth, size)
  }
  if (Array.isArray(values)) measureValues(values, size)
  if (Array.isArray(anyOf)) for (const inner of anyOf) measure(inner, depth, size)
  if (items !== undefined) measure(items, depth + 1, size)
}

function measureValues(values: readonly unknown[], size: Size): void {
  const length = values.reduce<number>((sum, value) => sum + String(value).length, 0)
  size.values += values.length
  size.names += length
  if (values.length > MANY_VALUES) size.longest = Math.max(size.longest, length)
}
