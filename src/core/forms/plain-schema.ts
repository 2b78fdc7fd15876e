import { HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { isQuick, listIn, referred } from '../config/index.ts'
import { conditionalSchema } from './conditional-schema.ts'
import { chosenWords } from './locale.ts'
import { mergedSchema, type NoteUnmerged, type Unmerged } from './merged-schema.ts'

/** The reason why a part of a schema has no place in a plain one. */
export type Left = 'recursion' | 'tuple' | Unmerged

/** A schema that uses only the keywords that draft-07 and 2020-12 share, without references. */
export interface PlainSchema {
  readonly schema: JsonObject
  /** Pointers into the plain schema at which a part of the original is missing, with the reasons. */
  readonly left: ReadonlyMap<string, Left>
}

/** The most nodes of one plugin's schema after references are resolved. A larger form would be of no use. */
const MOST_NODES = 5000
const DEEPEST = 40

/** Keywords that contain no schema and have the same meaning in both drafts. */
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
 * Converts a plugin's schema so that every form and both drafts can read it. References are resolved. A keyword that
 * only one draft has is expressed with common ones or left out. So the result may allow more values than the plugin's
 * own schema, but requests are always checked against the plugin's own.
 * @throws {HostError} SETTINGS_SCHEMA_INVALID, with a pointer into the schema
 */
export function plainSchema(schema: JsonObject, locale: string): PlainSchema {
  const walk: Walk = { root: schema, locale, left: new Map(), nodes: 0 }
  return { schema: toPlain(walk, schema, { path: [], shownPath: [], open: [] }), left: walk.left }
}

interface Walk {
  readonly root: JsonObject
  readonly locale: string
  readonly left: Map<string, Left>
  nodes: number
}

interface Place {
  readonly path: readonly string[]
  /** The path in the plain schema, in which the parts of an `allOf` are merged. */
  readonly shownPath: readonly string[]
  /** The references that are being resolved. */
  readonly open: readonly string[]
}

const NEVER: JsonObject = Object.freeze({ not: {} })

function toPlain(walk: Walk, schema: unknown, place: Place): JsonObject {
  if (schema === true) return {}
  if (schema === false) return NEVER
  if (!isObject(schema)) throw invalid(place.path, 'it is not a schema')
  if (++walk.nodes > MOST_NODES) {
    throw invalid([], `with its references resolved it has more than ${MOST_NODES} parts`)
  }
  if (place.path.length > DEEPEST) throw invalid(place.path, 'it is nested too deep')
  const { $ref: reference } = schema
  const own = ownKeywords(walk, schema, place)
  if (reference === undefined) return own
  return mergedSchema(own, writtenOut(walk, reference, place), noteIn(walk, place))
}

function ownKeywords(walk: Walk, schema: JsonObject, place: Place): JsonObject {
  const inner: Inner = (value, ...keys) => toPlain(walk, value, below(place, keys))
  const plain: Record<string, unknown> = { ...plainValues(schema), ...innerSchemas(schema, inner) }
  const conditions = conditionsOf(schema, inner)
  if (conditions.length > 0) plain['allOf'] = [...listIn(plain['allOf']), ...conditions]
  addItems(walk, { schema, plain, place, inner })
  addType(plain)
  return withoutParts({ ...plain, ...chosenWords(schema, walk.locale) }, noteIn(walk, place))
}

function below({ path, shownPath, open }: Place, keys: readonly string[]): Place {
  const isPart = keys[0] === 'allOf'
  return { path: [...path, ...keys], shownPath: isPart ? shownPath : [...shownPath, ...keys], open }
}

/** Copies keywords that contain no schema. */
function plainValues(schema: JsonObject): JsonObject {
  const { pattern } = schema
  const kept = Object.entries(schema).filter(([key]) => KEPT.has(key))
  return { ...Object.fromEntries(kept), ...(isQuick(pattern) ? { pattern } : {}) }
}

/** Converts the schemas in keywords that contain a schema, a list of schemas, or schemas by name. */
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

/** Merges the parts of an `allOf` into one schema. A sole part gives its words too. */
function withoutParts({ allOf, ...rest }: JsonObject, note: NoteUnmerged): JsonObject {
  if (!Array.isArray(allOf)) return rest
  const parts = allOf as readonly JsonObject[]
  return parts.reduce((whole, { title, description, ...part }) => {
    const words = parts.length === 1 ? { title, description } : {}
    const named = Object.entries(words).filter(([, text]) => text !== undefined)
    return mergedSchema(whole, { ...Object.fromEntries(named), ...part }, note)
  }, rest)
}

/** Notes the settings of a place that cannot be merged. */
function noteIn({ left }: Walk, { shownPath }: Place): NoteUnmerged {
  return (keys, reason) => void left.set(pointerOf([...shownPath, 'properties', ...keys]), reason)
}

/** Adds the type of fixed values, because some renderers choose a field by the type alone. */
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

/** Converts `items`. Lists with a schema for each index differ between the drafts, and no form shows them. */
function addItems(walk: Walk, { schema, plain, place, inner }: Items): void {
  const { items } = schema
  if (Array.isArray(items) || 'prefixItems' in schema) {
    walk.left.set(pointerOf(place.shownPath), 'tuple')
  } else if (items !== undefined) {
    plain['items'] = inner(items, 'items')
  }
}

/** Writes "if this property exists, …" as `if` and `then`: the drafts have different keywords for it. */
function conditionsOf(schema: JsonObject, inner: Inner): readonly JsonObject[] {
  const { dependencies, dependentRequired, dependentSchemas } = schema
  const named = [dependencies, dependentRequired, dependentSchemas].flatMap((map) =>
    isObject(map) ? Object.entries(map) : [],
  )
  return named.map(([name, needed]) =>
    conditionalSchema(
      { required: [name] },
      Array.isArray(needed) ? { required: needed } : inner(needed, 'dependentSchemas', name),
    ),
  )
}

function writtenOut(walk: Walk, reference: unknown, place: Place): JsonObject {
  const { path, shownPath, open } = place
  if (typeof reference !== 'string') throw invalid(path, '"$ref" is not a string')
  if (!reference.startsWith('#')) {
    throw invalid(path, `"$ref" points outside the schema, to ${JSON.stringify(reference)}`)
  }
  if (open.includes(reference)) {
    walk.left.set(pointerOf(shownPath), 'recursion')
    return {}
  }
  const target = referred(walk.root, reference)
  if (target === undefined)
    throw invalid(
      path,
      `"$ref" points to a place that does not exist: ${JSON.stringify(reference)}`,
    )
  return toPlain(walk, target, { ...place, open: [...open, reference] })
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
