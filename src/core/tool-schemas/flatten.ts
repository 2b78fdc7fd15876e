import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'
import type { Keyword } from './node.ts'
import { DEEPEST_REFERENCES, type SchemaSource, schemaInvalid } from './source.ts'

/** A schema with its `allOf`, and its `$ref` if other keywords stand beside it, merged into it. */
export interface Flat {
  readonly keywords: JsonObject
  /** Further conditions, which cannot be merged into one schema. */
  readonly besides: readonly Keyword[]
}

/** Keywords that name a schema, or that are meant for its authors. */
const NAMES = new Set(
  '$schema $id $anchor $comment $vocabulary $defs definitions allOf $ref'.split(' '),
)
export const WORDS = new Set(
  'title description default examples example deprecated readOnly writeOnly'.split(' '),
)
const LARGEST = /^(?:minimum|exclusiveMinimum|minLength|minItems|minProperties)$/
const SMALLEST = /^(?:maximum|exclusiveMaximum|maxLength|maxItems|maxProperties)$/

/** The place of a schema, and the references that are being resolved above it. */
export interface Place {
  readonly pointer: string
  readonly open: readonly string[]
}

/** Merges `allOf` and references into a schema. @throws {HostError} TOOL_SCHEMA_INVALID */
export function flatten(source: SchemaSource, schema: JsonObject, place: Place): Flat {
  source.count()
  if (place.open.length > DEEPEST_REFERENCES)
    throw schemaInvalid(place.pointer, 'its references are nested too deep')
  const { $ref: reference, allOf } = schema
  const own = Object.entries(schema).filter(
    ([key, value]) => !(NAMES.has(key) || key.startsWith('x-')) && value !== undefined,
  )
  let flat: Flat = { keywords: Object.fromEntries(own), besides: [] }
  for (const entry of listOf(allOf, 'allOf', place))
    flat = joined(flat, flatEntry(source, entry, place))
  if (reference === undefined) return flat
  const { target, schema: named } = source.follow(reference, place.pointer)
  if (own.length === 0 && allOf === undefined) return { keywords: { $ref: target }, besides: [] }
  if (place.open.includes(target)) return besideRecursion(flat, target)
  const inner = { pointer: target, open: [...place.open, target] }
  return joined(flat, flatEntry(source, named, inner))
}

/** Handles keywords beside a reference that is part of a circle: they cannot be merged into the referenced schema. */
function besideRecursion({ keywords, besides }: Flat, target: string): Flat {
  const isWorded = Object.keys(keywords).every((key) => WORDS.has(key))
  if (isWorded) return { keywords: { ...keywords, $ref: target }, besides }
  return { keywords, besides: [...besides, { keyword: '$ref', value: `#${target}` }] }
}

function flatEntry(source: SchemaSource, entry: unknown, place: Place): Flat {
  if (entry === true) return { keywords: {}, besides: [] }
  if (entry === false) return { keywords: { type: [] }, besides: [] }
  if (!isObject(entry)) throw schemaInvalid(place.pointer, 'an entry of "allOf" is not a schema')
  const flat = flatten(source, entry, place)
  const { $ref: target, ...rest } = flat.keywords
  if (typeof target !== 'string') return flat
  if (place.open.includes(target)) {
    return { keywords: rest, besides: [{ keyword: '$ref', value: `#${target}` }] }
  }
  const { schema } = source.follow(`#${target}`, place.pointer)
  return flatEntry(source, schema, { pointer: target, open: [...place.open, target] })
}

/** Combines two schemas that must both match. Title and description come from the first. */
export function joined(first: Flat, second: Flat): Flat {
  const keywords: Record<string, unknown> = { ...first.keywords }
  const besides = [...first.besides, ...second.besides]
  for (const [key, value] of Object.entries(second.keywords)) {
    const known = keywords[key]
    if (known === undefined || key === 'properties') keywords[key] = known ?? value
    else if (!WORDS.has(key) && !isDeepStrictEqual(known, value)) {
      const both = joinedValue(key, known, value)
      if (both === undefined) besides.push({ keyword: key, value })
      else keywords[key] = both
    }
  }
  const properties = joinedProperties(first.keywords, second.keywords)
  return { keywords: properties ? { ...keywords, properties } : keywords, besides }
}

function joinedValue(key: string, first: unknown, second: unknown): unknown {
  if (key === 'type') return commonTypes(first, second)
  if (key === 'required' && Array.isArray(first) && Array.isArray(second))
    return [...new Set<unknown>([...first, ...second])]
  if (key === 'enum' && Array.isArray(first) && Array.isArray(second))
    return first.filter((one) => second.some((other) => isDeepStrictEqual(one, other)))
  if (key === 'items' || key === 'additionalProperties') return { allOf: [first, second] }
  if (typeof first !== 'number' || typeof second !== 'number') return undefined
  if (LARGEST.test(key)) return Math.max(first, second)
  return SMALLEST.test(key) ? Math.min(first, second) : undefined
}

function commonTypes(first: unknown, second: unknown): readonly unknown[] {
  const firsts: readonly unknown[] = [first].flat()
  const seconds: readonly unknown[] = [second].flat()
  const has = (types: readonly unknown[], type: unknown) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const common = [...firsts, ...seconds].filter((type) => has(firsts, type) && has(seconds, type))
  return [...new Set(common)]
}

/** The members of both. A member of only one must also match the other's schema for all other members. */
function joinedProperties(first: JsonObject, second: JsonObject): JsonObject | undefined {
  const firsts = membersOf(first)
  const seconds = membersOf(second)
  if (firsts.size + seconds.size === 0) return undefined
  const names = new Set([...firsts.keys(), ...seconds.keys()])
  const entries = [...names].map((name) => {
    const one = firsts.has(name) ? firsts.get(name) : first['additionalProperties']
    const other = seconds.has(name) ? seconds.get(name) : second['additionalProperties']
    return [name, bothOf(one, other)] as const
  })
  return Object.fromEntries(entries)
}

function membersOf({ properties }: JsonObject): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(isObject(properties) ? properties : {}))
}

/** A schema that matches if both match. */
function bothOf(one: unknown = true, other: unknown = true): unknown {
  if (one === true || isDeepStrictEqual(one, other)) return other
  return other === true ? one : { allOf: [one, other] }
}

/** Reads a list of schemas. @throws {HostError} TOOL_SCHEMA_INVALID */
export function listOf(value: unknown, keyword: string, { pointer }: Place): readonly unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw schemaInvalid(pointer, `"${keyword}" is not a list of schemas`)
}
