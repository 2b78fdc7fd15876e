import { isObject } from '@braidwork/plugin'

export type Schema = { readonly [key: string]: unknown }

/** Keywords whose value is a schema, or a list of schemas. What `if` and `not` have is for comparisons only. */
const SCHEMAS = ['additionalProperties', 'items', 'anyOf', 'oneOf', 'allOf', 'then', 'else']
/** Keywords whose value has schemas by name. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions']

/** Copies a schema and changes each schema in it, the inner ones first. */
export function mapSchemas(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const map = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(map)
    return isObject(inner) ? mapSchemas(inner, change) : inner
  }
  const members = Object.entries(schema).map(([key, inner]) => {
    if (SCHEMAS.includes(key)) return [key, map(inner)]
    if (!NAMED.includes(key) || !isObject(inner)) return [key, inner]
    return [key, Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, map(one)]))]
  })
  return change(Object.fromEntries(members) as Schema)
}
