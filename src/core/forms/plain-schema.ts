import { HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { referred } from '../config/index.ts'
import { chosenWords } from './locale.ts'
import { isQuick } from './patterns.ts'

/** A schema in the words that draft-07 and 2020-12 share, with no reference left in it. */
export interface PlainSchema {
  readonly schema: JsonObject
  /** Pointers into the plain schema, and what of the given one is not in it there. */
  readonly left: ReadonlyMap<string, 'recursion' | 'tuple'>
}

/** Nodes of one plugin's schema, references written out; a form of more helps nobody. */
const MOST_NODES = 5000
const DEEPEST = 40

/** Keywords of both drafts that mean the same in both, and take no schema. */
const KEPT = new Set(
  (
    'type enum const title description default examples format multipleOf maximum exclusiveMaximum minimum ' +
    'exclusiveMinimum maxLength minLength maxItems minItems uniqueItems maxProperties minProperties required ' +
    'readOnly writeOnly deprecated contentMediaType contentEncoding'
  ).split(' '),
)
const WITH_SCHEMA = [
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]
const WITH_LIST = ['allOf', 'anyOf', 'oneOf']
const WITH_MAP = ['properties', 'patternProperties']

/**
 * A plugin's schema as every form and both drafts read it: references are written out, and what only one
 * draft knows is said by what both do, or left out, so that it may let through more than the plugin's own,
 * which is what a request is checked against.
 * @throws {HostError} SETTINGS_SCHEMA_INVALID, with the pointer into the schema
 */
export function plainSchema(schema: JsonObject, locale: string): PlainSchema {
  const walk: Walk = { root: schema, locale, left: new Map(), nodes: 0 }
  return { schema: toPlain(walk, schema, { path: [], open: [] }), left: walk.left }
}

interface Walk {
  readonly root: JsonObject
  readonly locale: string
  readonly left: Map<string, 'recursion' | 'tuple'>
  nodes: number
}

interface Place {
  readonly path: readonly string[]
  /** References that are being written out. */
  readonly open: readonly string[]
}

const NEVER: JsonObject = Object.freeze({ not: {} })

function toPlain(walk: Walk, schema: unknown, place: Place): JsonObject {
  if (schema === true) return {}
  if (schema === false) return NEVER
  if (!isObject(schema)) throw invalid(place.path, 'it is no schema')
  if (++walk.nodes > MOST_NODES) {
    throw invalid([], `with its references written out it has more than ${MOST_NODES} parts`)
  }
  if (place.path.length > DEEPEST) throw invalid(place.path, 'it is nested too deep')
  const { $ref: reference } = schema
  const own = ownKeywords(walk, schema, place)
  if (reference === undefined) return own
  return joined(writtenOut(walk, reference, place), own)
}

function ownKeywords(walk: Walk, schema: JsonObject, place: Place): JsonObject {
  const inner: Inner = (value, ...keys) =>
    toPlain(walk, value, { ...place, path: [...place.path, ...keys] })
  const plain: Record<string, unknown> = { ...plainValues(schema), ...innerSchemas(schema, inner) }
  const conditions = conditionsOf(schema, inner)
  if (conditions.length > 0) plain['allOf'] = [...listIn(plain['allOf']), ...conditions]
  addItems(walk, { schema, plain, place, inner })
  addType(plain)
  return withoutSoleBranch({ ...plain, ...chosenWords(schema, walk.locale) })
}

/** Keywords that take no schema. */
function plainValues(schema: JsonObject): JsonObject {
  const { pattern } = schema
  const kept = Object.entries(schema).filter(([key]) => KEPT.has(key))
  return { ...Object.fromEntries(kept), ...(isQuick(pattern) ? { pattern } : {}) }
}

/** Keywords that take a schema, a list of schemas, or schemas by name. */
function innerSchemas(schema: JsonObject, inner: Inner): JsonObject {
  const plain: Record<string, unknown> = {}
  for (const key of WITH_SCHEMA) {
    const value = schema[key]
    if (value !== undefined) plain[key] = typeof value === 'boolean' ? value : inner(value, key)
  }
  for (const key of WITH_LIST) {
    const list = schema[key]
    if (Array.isArray(list)) plain[key] = list.map((one, at) => inner(one, key, String(at)))
  }
  for (const key of WITH_MAP) {
    const map = schema[key]
    if (isObject(map)) plain[key] = mapEntries(map, (name, one) => inner(one, key, name))
  }
  return plain
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** `allOf` of one schema is that schema: so libraries write words beside a reference. */
function withoutSoleBranch({ allOf, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(allOf)) return rest
  return allOf.length === 1 ? joined(allOf[0] as JsonObject, rest) : { ...rest, allOf }
}

/** Some renderers choose a field by the type alone. */
function addType(plain: Record<string, unknown>): void {
  const { enum: values, const: fixed, type } = plain
  const all: readonly unknown[] = Array.isArray(values)
    ? values
    : fixed === undefined
      ? []
      : [fixed]
  const types = new Set(all.map((value) => typeof value))
  const [only] = types
  const isSimple = only === 'string' || only === 'number' || only === 'boolean'
  if (type === undefined && types.size === 1 && isSimple) plain['type'] = only
}

type Inner = (value: unknown, ...keys: readonly string[]) => JsonObject

interface Items {
  readonly schema: JsonObject
  readonly plain: Record<string, unknown>
  readonly place: Place
  readonly inner: Inner
}

/** A list whose items differ by place is said otherwise in each draft, and shown by no form. */
function addItems(walk: Walk, { schema, plain, place, inner }: Items): void {
  const { items } = schema
  if (Array.isArray(items) || 'prefixItems' in schema) {
    walk.left.set(pointerOf(place.path), 'tuple')
  } else if (items !== undefined) {
    plain['items'] = inner(items, 'items')
  }
}

/** "Where this is, that must be": draft-07 and 2020-12 have other words for it, and `if` in common. */
function conditionsOf(schema: JsonObject, inner: Inner): readonly JsonObject[] {
  const { dependencies, dependentRequired, dependentSchemas } = schema
  const named = [dependencies, dependentRequired, dependentSchemas].flatMap((map) =>
    isObject(map) ? Object.entries(map) : [],
  )
  return named.map(([name, needed]) => ({
    if: { required: [name] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: Array.isArray(needed) ? { required: needed } : inner(needed, 'dependentSchemas', name),
  }))
}

function writtenOut(walk: Walk, reference: unknown, { path, open }: Place): JsonObject {
  if (typeof reference !== 'string') throw invalid(path, '"$ref" is no text')
  if (!reference.startsWith('#')) {
    throw invalid(path, `"$ref" leads out of the schema, to ${JSON.stringify(reference)}`)
  }
  if (open.includes(reference)) {
    walk.left.set(pointerOf(path), 'recursion')
    return {}
  }
  const target = referred(walk.root, reference)
  if (target === undefined)
    throw invalid(path, `"$ref" names nothing: ${JSON.stringify(reference)}`)
  return toPlain(walk, target, { path, open: [...open, reference] })
}

/** What stands beside a reference counts with what it stands for; words about it come first. */
function joined(target: JsonObject, own: JsonObject): JsonObject {
  const { title, description, default: initial, ...rest } = own
  const words = Object.fromEntries(
    Object.entries({ title, description, default: initial }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const twice = Object.keys(rest).filter((key) => key in target)
  const also = Object.fromEntries(twice.map((key) => [key, target[key]]))
  return { ...target, ...rest, ...(twice.length > 0 ? { allOf: [also] } : {}), ...words }
}

function mapEntries(
  map: JsonObject,
  change: (name: string, value: unknown) => unknown,
): JsonObject {
  const names = Object.keys(map).filter((name) => name !== '__proto__')
  return Object.fromEntries(names.map((name) => [name, change(name, map[name])]))
}

function invalid(path: readonly string[], reason: string): HostError {
  const pointer = pointerOf(path)
  const where = pointer === '' ? '' : ` at ${pointer}`
  return new HostError(
    'SETTINGS_SCHEMA_INVALID',
    `The schema of its settings cannot be shown${where}: ${reason}`,
    {
      pointer,
    },
  )
}
