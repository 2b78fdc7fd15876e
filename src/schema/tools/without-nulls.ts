import { isObject, type JsonObject } from '../../events/index.ts'
import { referred } from '../secret-marks.ts'

/**
 * Arguments that a model wrote by a strict schema, as the tool's own schema means them: a null stands for a
 * member that is absent where the tool's schema does not require the member and does not take null.
 */
export function withoutNulls(schema: JsonObject, input: unknown): unknown {
  return cleaned(schema, schema, input)
}

function cleaned(root: JsonObject, schema: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = said(root, schema, itemsOf)
    return value.map((item) => cleaned(root, items, item))
  }
  if (!isObject(value)) return value
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const own = said(root, schema, ({ properties }) => memberOf(properties, name))
    const isAbsent =
      inner === null &&
      own !== undefined &&
      !isRequired(root, schema, name) &&
      !takesNull(root, own)
    return isAbsent ? [] : [[name, cleaned(root, own, inner)] as const]
  })
  return Object.fromEntries(kept)
}

function memberOf(properties: unknown, name: string): unknown {
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
}

function itemsOf({ items, prefixItems }: JsonObject): unknown {
  const all = [items, prefixItems].flat().filter((one) => one !== undefined)
  return all.length > 0 ? { anyOf: all } : undefined
}

/** What a schema, its references and its branches say of something below it, as one schema. */
function said(
  root: JsonObject,
  schema: unknown,
  select: (schema: JsonObject) => unknown,
  seen = new Set<unknown>(),
): unknown {
  if (!isObject(schema) || seen.has(schema)) return undefined
  seen.add(schema)
  const below = (one: unknown) => said(root, one, select, seen)
  const all = [
    select(schema),
    below(referred(root, schema['$ref'])),
    ...listIn(schema['allOf']).map(below),
  ]
  for (const key of ['anyOf', 'oneOf']) {
    const branches = listIn(schema[key]).map(below)
    const spoken = branches.filter((one) => one !== undefined)
    if (spoken.length > 0) all.push({ anyOf: spoken })
  }
  const given = all.filter((one) => one !== undefined)
  return given.length > 1 ? { allOf: given } : given[0]
}

/** Whether a member is required, in all of the branches where there are such. */
function isRequired(
  root: JsonObject,
  schema: unknown,
  name: string,
  seen = new Set<unknown>(),
): boolean {
  if (!isObject(schema) || seen.has(schema)) return false
  seen.add(schema)
  const below = (one: unknown) => isRequired(root, one, name, seen)
  const isAlways = [referred(root, schema['$ref']), ...listIn(schema['allOf'])].some(below)
  const isInAll = ['anyOf', 'oneOf'].some((key) => {
    const branches = listIn(schema[key])
    return branches.length > 0 && branches.every(below)
  })
  return listIn(schema['required']).includes(name) || isAlways || isInAll
}

/** Whether a schema may take null; asked once of each, for references may lead in circles or multiply. */
function takesNull(
  root: JsonObject,
  schema: unknown,
  known = new Map<unknown, boolean>(),
): boolean {
  if (!isObject(schema)) return schema !== false
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, false)
  const { type, enum: values, const: fixed, $ref: reference } = schema
  const takes = (one: unknown) => takesNull(root, one, known)
  const takesHere =
    (type === undefined || [type].flat().includes('null')) &&
    (values === undefined || listIn(values).includes(null)) &&
    (fixed === undefined || fixed === null) &&
    (reference === undefined || takes(referred(root, reference))) &&
    listIn(schema['allOf']).every(takes) &&
    ['anyOf', 'oneOf'].every((key) => schema[key] === undefined || listIn(schema[key]).some(takes))
  known.set(schema, takesHere)
  return takesHere
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
