import { isObject, type JsonObject } from '@braidwork/plugin'

/** The maximum length of a chain of references and choices. */
const MOST_STEPS = 20

/** A schema with local `$ref`, `allOf` and the first of its choices merged; `undefined` if it is unusable. */
export function resolveSchema(given: unknown, root: JsonObject): JsonObject | undefined {
  let schema = given === true ? {} : given
  for (let step = 0; step < MOST_STEPS; step++) {
    if (!isObject(schema)) return undefined
    const next = stepOf(schema, root)
    if (next === undefined) return schema
    schema = next
  }
  return undefined
}

function stepOf(schema: JsonObject, root: JsonObject): unknown {
  const { $ref, allOf, anyOf, oneOf, ...rest } = schema
  if (typeof $ref === 'string') return merge(withoutRef(schema), [lookUp($ref, root)])
  if (Array.isArray(allOf)) return merge({ ...rest, ...present({ anyOf, oneOf }) }, allOf)
  const choices: unknown = anyOf ?? oneOf
  if (Array.isArray(choices))
    return merge(rest, [choices.find((choice) => !isNull(choice)) ?? choices[0]])
  return undefined
}

function withoutRef({ $ref: _, ...rest }: JsonObject): JsonObject {
  return rest
}

function isNull(choice: unknown): boolean {
  return isObject(choice) && choice['type'] === 'null'
}

/** Merges schemas: properties and required names are combined; of other keywords the first value counts. */
function merge(first: JsonObject, others: readonly unknown[]): JsonObject | undefined {
  let merged: JsonObject = first
  for (const other of others) {
    if (other === true) continue
    if (!isObject(other)) return undefined
    const properties = { ...asObject(other['properties']), ...asObject(merged['properties']) }
    const required = [...asList(merged['required']), ...asList(other['required'])]
    merged = {
      ...other,
      ...merged,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
    }
  }
  return merged
}

/** Resolves a local reference such as #/$defs/Name. */
function lookUp(reference: string, root: JsonObject): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let value: unknown = root
  for (const key of reference.slice(2).split('/')) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as JsonObject)[name]
  }
  return value
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
