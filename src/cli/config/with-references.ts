import { isObject } from '@braidwork/plugin'
import { mapSchemas, type Schema } from './map-schemas.ts'

const REFERENCE = '\\$\\{env:[^{}]+\\}'
const REFERRING = { type: 'string', pattern: REFERENCE } as const
/** Keywords that a reference need not match, since its value does. A pattern is joined with that of references. */
const OF_VALUES = ['type', 'enum', 'const', 'minLength', 'maxLength', 'format'] as const

/**
 * Lets a schema for editors accept `${env:NAME}` wherever it asks for certain texts: the check of a config fills in
 * the variables first.
 */
export function withReferences(schema: Schema): Schema {
  return mapSchemas(schema, (one) => orReference(withPattern(withoutOneOf(one))))
}

function withPattern(schema: Schema): Schema {
  const { pattern } = schema
  // A reference is a text that is not empty.
  if (typeof pattern !== 'string' || pattern === '.') return schema
  return { ...schema, pattern: `(?:${pattern})|${REFERENCE}` }
}

function orReference(schema: Schema): Schema {
  if (!asksForText(schema)) return schema
  const moved = (key: string) => OF_VALUES.some((one) => one === key) || key === 'pattern'
  const values = Object.entries(schema).filter(([key]) => moved(key))
  const others = Object.entries(schema).filter(([key]) => !moved(key))
  return { ...Object.fromEntries(others), anyOf: [Object.fromEntries(values), REFERRING] }
}

/** Whether a schema takes only certain texts, other than by a pattern. */
function asksForText({ enum: choices, const: only, type, anyOf, ...rest }: Schema): boolean {
  if (anyOf !== undefined) return false
  if (Array.isArray(choices)) return choices.some((one) => typeof one === 'string')
  if (typeof only === 'string') return true
  return type === 'string' && ['minLength', 'maxLength', 'format'].some((key) => key in rest)
}

/** A reference in place of the constant that tells branches apart would match several of them. */
function withoutOneOf(schema: Schema): Schema {
  const { oneOf, ...rest } = schema
  if (!Array.isArray(oneOf) || rest['anyOf'] !== undefined) return schema
  return oneOf.some((branch) => isObject(branch) && refersIn(branch))
    ? { ...rest, anyOf: oneOf }
    : schema
}

function refersIn({ properties, anyOf }: Schema): boolean {
  const isReferring = (one: unknown) => isObject(one) && one['pattern'] === REFERENCE
  if (Array.isArray(anyOf) && anyOf.some(isReferring)) return true
  return (
    isObject(properties) && Object.values(properties).some((one) => isObject(one) && refersIn(one))
  )
}
