import { isObject, type JsonObject } from '@braidwork/plugin'
import { referred } from './secret-marks.ts'

/** Keywords whose schemas check the same value, and those whose schemas check a part of it. */
const IN_PLACE = new Set('allOf anyOf oneOf if then else not propertyNames'.split(' '))
const IN_PARTS = new Set(
  'items prefixItems contains additionalProperties unevaluatedProperties unevaluatedItems'.split(
    ' ',
  ),
)

/** The schemas inside a schema that may check the value at a path below its own value, behind references too. */
export function schemasAt(
  schema: unknown,
  keys: readonly string[],
  root: JsonObject,
): ReadonlySet<unknown> {
  let found = new Set<unknown>()
  addInPlace(found, schema, root)
  for (const key of keys) {
    const parts = new Set<unknown>()
    for (const one of found) for (const part of partsAt(one, key)) addInPlace(parts, part, root)
    found = parts
  }
  return found
}

function addInPlace(found: Set<unknown>, schema: unknown, root: JsonObject): void {
  if (Array.isArray(schema)) for (const one of schema) addInPlace(found, one, root)
  if (schema === false) found.add(schema)
  if (!isObject(schema) || found.has(schema)) return
  found.add(schema)
  for (const [key, inner] of Object.entries(schema)) {
    if (key === '$ref') addInPlace(found, referred(root, inner), root)
    else if (IN_PLACE.has(key)) addInPlace(found, inner, root)
    else if (key === 'dependentSchemas') addInPlace(found, valuesOf(inner), root)
  }
}

function partsAt(schema: unknown, key: string): readonly unknown[] {
  if (!isObject(schema)) return []
  const { properties, patternProperties } = schema
  const own = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : []
  const others = Object.entries(schema).flatMap(([name, inner]) =>
    IN_PARTS.has(name) ? [inner] : [],
  )
  return [...own, ...valuesOf(patternProperties), ...others]
}

function valuesOf(schemas: unknown): readonly unknown[] {
  return isObject(schemas) ? Object.values(schemas) : []
}
