import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { kindsOf } from '../union.ts'
import type { ShownField } from './shown-fields.ts'

/** A form with a flat list of values, each under its own name. */
export interface Flat {
  /** For each name, the place of its value in the form data of the config, as a JSON pointer. */
  readonly pointers: { readonly [name: string]: string }
  /** The initial values. */
  readonly values: JsonObject
  /**
   * For each field in which a person chooses one of several kinds of object: the default choice, and the keys that
   * each kind has.
   */
  readonly kinds?: { readonly [name: string]: JsonObject }
}

/** A field with its name and its initial value. */
export interface Named {
  readonly field: ShownField
  readonly name: string
  readonly value: unknown
}

export function flat(named: readonly Named[]): Flat {
  const set = named.filter(({ value }) => value !== undefined)
  const kinds = named.flatMap(({ field, name }) => {
    const own = kindsOf(field.schema)
    return own ? [[name, own] as const] : []
  })
  return {
    pointers: Object.fromEntries(named.map(({ field, name }) => [name, pointerOf(field.path)])),
    values: Object.fromEntries(set.map(({ name, value }) => [name, value])),
    ...(kinds.length > 0 ? { kinds: Object.fromEntries(kinds) } : {}),
  }
}

/** Rebuilds a part of the data's schema from a flat form: the choices between kinds of object. */
export function schemaOfKinds({ pointers, kinds = {} }: Flat): JsonObject {
  return Object.entries(kinds).reduce<JsonObject>(
    (schema, [name, own]) => withMember(schema, keysIn(pointers[name] ?? ''), own),
    {},
  )
}

/** Adds a member to a schema at a path. */
export function withMember(
  schema: JsonObject,
  [key, ...rest]: readonly string[],
  member: JsonObject,
): JsonObject {
  if (key === undefined) return member
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const inner = isObject(properties[key]) ? properties[key] : {}
  return { properties: { ...properties, [key]: withMember(inner, rest, member) } }
}

function keysIn(pointer: string): string[] {
  const keys = pointer.split('/').slice(1)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * Names for fields, which are identifiers in any language: the keys of the path, joined with two underscores.
 * `/settings/openai/api_key` becomes `openai__api_key`.
 */
export function namesOf(fields: readonly ShownField[]): readonly string[] {
  const taken = new Set<string>()
  return fields.map(({ plugin, path }) => {
    const keys = plugin === undefined ? path : path.slice(1)
    const name = keys
      .join('__')
      .replaceAll(/\W/g, '_')
      .replace(/^(?![A-Za-z])/, 'f')
    let unique = name
    for (let next = 2; taken.has(unique); next++) unique = `${name}_${next}`
    taken.add(unique)
    return unique
  })
}

/** Puts the values of a flat form into their places. Empty values count as not set; unknown names are ignored. */
export function inPlace({ pointers }: Flat, values: JsonObject): JsonObject {
  const data: Record<string, unknown> = {}
  for (const [name, pointer] of Object.entries(pointers)) {
    const value = Object.hasOwn(values, name) ? nonEmpty(values[name]) : undefined
    if (value !== undefined) put(data, keysIn(pointer), value)
  }
  return data
}

function put(data: Record<string, unknown>, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    data[key] = value
    return
  }
  const inner = Object.hasOwn(data, key) && isObject(data[key]) ? { ...data[key] } : {}
  put(inner, rest, value)
  data[key] = inner
}

/** Removes empty values: forms express in several ways that a field was left empty. */
function nonEmpty(value: unknown): unknown {
  if (!Array.isArray(value)) return value === '' || value === null ? undefined : value
  const items = value.filter((item) => item !== '' && item !== null)
  return items.length === 0 ? undefined : items
}
