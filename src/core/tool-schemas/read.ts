import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { areDisjoint } from './disjoint.ts'
import { type Flat, flatten, joined, listOf, type Place, WORDS } from './flatten.ts'
import type { NoteLost } from './lost.ts'
import {
  flatBranches,
  nodeOf,
  type ObjectShape,
  type Property,
  type SchemaNode,
  type SchemaTree,
  type Shape,
  simplest,
} from './node.ts'
import { DEEPEST_REFERENCES, type SchemaSource, schemaInvalid } from './source.ts'
import { isOf, TYPES, type TypeName } from './type-names.ts'

/** Keywords that apply to one type only. A schema that has one but no `type` is read as a schema of that type. */
const OF_TYPE: { readonly [type: string]: readonly string[] } = {
  object: 'properties required additionalProperties patternProperties'.split(' '),
  array: 'items prefixItems additionalItems minItems maxItems'.split(' '),
  string: 'minLength maxLength pattern format'.split(' '),
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' '),
}
const SHAPING = new Set(
  'type enum const $ref anyOf oneOf properties required additionalProperties items prefixItems additionalItems'.split(
    ' ',
  ),
)
const BOUNDS = new Set(
  [...(OF_TYPE['array'] ?? []), ...(OF_TYPE['string'] ?? []), ...(OF_TYPE['number'] ?? [])].filter(
    (keyword) => !SHAPING.has(keyword),
  ),
)

/**
 * Reads a tool's schema as a tree of shapes. A node keeps the keywords that no format has. `note` is called where the
 * tree allows other values than the schema does.
 * @throws {HostError} TOOL_SCHEMA_INVALID
 */
export function readTree(source: SchemaSource, root: JsonObject, note: NoteLost): SchemaTree {
  const reader = new Reader(source, note)
  return { root: reader.read(root, { pointer: '', open: [''] }), targets: reader.targets }
}

class Reader {
  readonly targets = new Map<string, SchemaNode>()
  readonly #source: SchemaSource
  readonly #note: NoteLost
  #depth = 0
  /** Whether a type was implied for a schema without `type`. Other schemas may then match its values too. */
  #hasImplied = false

  constructor(source: SchemaSource, note: NoteLost) {
    this.#source = source
    this.#note = note
  }

  read(schema: unknown, { pointer: otherwise, open }: Place): SchemaNode {
    const pointer = this.#source.pointerOf(schema, otherwise)
    if (typeof schema === 'boolean') return nodeOf(pointer, { kind: schema ? 'any' : 'never' })
    if (!isObject(schema)) throw schemaInvalid(pointer, 'it is not a schema')
    const place = { pointer, open }
    const flat = flatten(this.#source, schema, place)
    return this.#readFlat(flat, place)
  }

  #readFlat(flat: Flat, place: Place): SchemaNode {
    const { keywords, besides } = flat
    const { pointer } = place
    const shape = this.#shapeOf(flat, place)
    const entries = Object.entries(keywords)
    const pick = (has: (key: string) => boolean) =>
      Object.fromEntries(entries.filter(([key]) => has(key)))
    // In a union, each branch contains the keywords that stand beside the union.
    const isUnion = shape.kind === 'union'
    const bounds = boundsOf(shape)
    const known = (key: string) => WORDS.has(key) || SHAPING.has(key) || BOUNDS.has(key)
    const rest = entries.filter(([key]) => !known(key))
    return {
      pointer,
      shape,
      words: pick((key) => WORDS.has(key)),
      bounds: pick((key) => bounds.has(key)),
      besides: isUnion ? [] : [...rest.map(([keyword, value]) => ({ keyword, value })), ...besides],
    }
  }

  #shapeOf(flat: Flat, place: Place): Shape {
    const { keywords } = flat
    const { $ref: target, anyOf, oneOf, const: fixed, enum: values } = keywords
    if (typeof target === 'string') return this.#reference(target)
    if (anyOf !== undefined) return this.#union(flat, 'anyOf', place)
    if (oneOf !== undefined) return this.#union(flat, 'oneOf', place)
    const types = this.#typesOf(keywords, place)
    if (values !== undefined || 'const' in keywords) {
      const all = values === undefined ? [fixed] : listOf(values, 'enum', place)
      const given = 'const' in keywords ? all.filter((one) => isDeepStrictEqual(one, fixed)) : all
      return valuesShape(
        given.filter((one) => types === undefined || types.some((type) => isOf(type, one))),
      )
    }
    if (types === undefined) return { kind: 'any' }
    const [only] = types
    if (only === undefined) return { kind: 'never' }
    if (types.length === 1) return this.#ofType(only, keywords, place)
    return { kind: 'union', branches: types.map((type) => this.#branchOf(flat, type, place)) }
  }

  #reference(target: string): Shape {
    if (!this.targets.has(target)) {
      // A placeholder, because the schema may refer to itself.
      this.targets.set(target, nodeOf(target, { kind: 'any' }))
      const { schema } = this.#source.follow(`#${target}`, target)
      if (++this.#depth > DEEPEST_REFERENCES)
        throw schemaInvalid(target, 'its references are nested too deep')
      this.targets.set(target, this.read(schema, { pointer: target, open: [target] }))
      this.#depth--
    }
    return { kind: 'reference', target }
  }

  #union({ keywords, besides }: Flat, key: 'anyOf' | 'oneOf', place: Place): Shape {
    const { [key]: listed, ...others } = keywords
    const entries = Object.entries(others)
    const beside: Flat = {
      keywords: Object.fromEntries(entries.filter(([name]) => !WORDS.has(name))),
      besides,
    }
    const isAlone = Object.keys(beside.keywords).length + besides.length === 0
    const branches = listOf(listed, key, place).map((branch, at) => {
      const inner = { ...place, pointer: `${place.pointer}/${key}/${at}` }
      if (isAlone || !isObject(branch)) return this.read(branch, inner)
      const schema = flatten(this.#source, { allOf: [branch] }, inner)
      const pointer = this.#source.pointerOf(branch, inner.pointer)
      return this.#readFlat(joined(schema, beside), { ...inner, pointer })
    })
    const possible = branches.flatMap((node) => flatBranches(node))
    if (key === 'oneOf' && (this.#hasImplied || !areDisjoint(possible, this.targets))) {
      const reason = 'exactly one schema must match; in the converted schema, several may match'
      this.#note({ pointer: place.pointer, keyword: 'oneOf', reason, effect: 'wider' })
    }
    return simplest({ kind: 'union', branches: possible })
  }

  /** The types that a schema allows. Undefined if it allows any type. */
  #typesOf(keywords: JsonObject, { pointer }: Place): readonly TypeName[] | undefined {
    const { type } = keywords
    if (type !== undefined) {
      const listed = [type].flat() as unknown[]
      const unknown = listed.find((one) => !TYPES.includes(one as TypeName))
      if (unknown === undefined) return [...new Set(listed as TypeName[])]
      throw schemaInvalid(pointer, `${JSON.stringify(unknown)} is not a "type"`)
    }
    if ('enum' in keywords || 'const' in keywords) return undefined
    const implied = Object.entries(OF_TYPE).find(([, own]) => own.some((key) => key in keywords))
    if (!implied) return undefined
    const [name] = implied
    this.#hasImplied = true
    const reason = `a schema without "type" also allows values that are not of type ${name}`
    this.#note({ pointer, keyword: 'type', reason, effect: 'narrower' })
    return [name as TypeName]
  }

  /** A branch for one of several types, with the keywords for that type. */
  #branchOf({ keywords, besides }: Flat, type: TypeName, place: Place): SchemaNode {
    const shape = this.#ofType(type, keywords, place)
    const foreign = new Set(Object.values(OF_TYPE).flat())
    const own = boundsOf(shape)
    const bounds = Object.entries(keywords).filter(([key]) => own.has(key))
    const rest = Object.entries(keywords).filter(
      ([key]) => !(foreign.has(key) || SHAPING.has(key) || WORDS.has(key)),
    )
    return {
      pointer: place.pointer,
      shape,
      words: {},
      bounds: Object.fromEntries(bounds),
      besides: [...rest.map(([keyword, value]) => ({ keyword, value })), ...besides],
    }
  }

  #ofType(type: TypeName, keywords: JsonObject, place: Place): Shape {
    if (type === 'object') return this.#object(keywords, place)
    return type === 'array'
      ? { kind: 'array', items: this.#items(keywords, place) }
      : { kind: type }
  }

  /** The schema of the items. If it differs from item to item, a union of these schemas. */
  #items({ items, prefixItems, additionalItems, maxItems }: JsonObject, place: Place): SchemaNode {
    const below = (key: string) => ({ ...place, pointer: `${place.pointer}/${key}` })
    const prefix = prefixItems ?? (Array.isArray(items) ? items : undefined)
    if (prefix === undefined) return this.read(items ?? true, below('items'))
    const places = listOf(prefix, 'prefixItems', place)
    const nodes = places.map((one, at) => this.read(one, below(`prefixItems/${at}`)))
    const further = Array.isArray(items) ? additionalItems : items
    const isEnded = typeof maxItems === 'number' && maxItems <= places.length
    const rest = isEnded ? [] : [this.read(further ?? true, below('items'))]
    const reason =
      'the order of the items; in the converted schema, each item matches one of their schemas'
    this.#note({ pointer: place.pointer, keyword: 'prefixItems', reason, effect: 'wider' })
    const branches = [...nodes, ...rest].flatMap((node) => flatBranches(node))
    return nodeOf(place.pointer, { kind: 'union', branches })
  }

  #object(keywords: JsonObject, place: Place): ObjectShape {
    const { properties = {}, required = [] } = keywords
    if (!isObject(properties)) throw schemaInvalid(place.pointer, '"properties" is not an object')
    const needed = new Set(listOf(required, 'required', place))
    const read = new Map<string, Property>()
    const unnamed = [...needed].filter((name) => !Object.hasOwn(properties, String(name)))
    const others = keywords['additionalProperties'] ?? true
    for (const [name, schema] of [
      ...Object.entries(properties),
      ...unnamed.map((name) => [String(name), others] as const),
    ]) {
      const pointer = `${place.pointer}/properties${pointerOf([name])}`
      const node = this.read(schema, { ...place, pointer })
      read.set(name, { node, isRequired: needed.has(name) })
    }
    return { kind: 'object', properties: read, others: othersOf(keywords) }
  }
}

/** The bounds that apply to values of a shape. Bounds of other types have no effect. */
function boundsOf({ kind }: Shape): ReadonlySet<string> {
  if (kind === 'any' || kind === 'values') return BOUNDS
  const own = OF_TYPE[kind === 'integer' ? 'number' : kind] ?? []
  return new Set(own.filter((keyword) => BOUNDS.has(keyword)))
}

function valuesShape(values: readonly unknown[]): Shape {
  return values.length === 0 ? { kind: 'never' } : { kind: 'values', values }
}

function othersOf(keywords: JsonObject): ObjectShape['others'] {
  const { additionalProperties, patternProperties, unevaluatedProperties } = keywords
  const said = additionalProperties ?? unevaluatedProperties
  const isPatterned = isObject(patternProperties) && Object.keys(patternProperties).length > 0
  if (isPatterned) return 'wanted'
  if (said === undefined) return 'unsaid'
  return said === false ? 'refused' : 'wanted'
}
