import { isObject, type JsonObject } from '@braidwork/plugin'
import { hasType, isType, listIn } from './json-types.ts'

/** A keyword that is simple to check. */
interface Keyword {
  /** Whether ajv compiles the keyword with this value. */
  isSound(wanted: unknown, depth: number): boolean
  /** Whether the keyword surely accepts a value. False says nothing. */
  accepts(wanted: unknown, value: unknown, schema: JsonObject): boolean
}

/** How deep a schema is looked at: one that contains itself has no end. */
const DEEPEST = 32

const annotation: Keyword = { isSound: () => true, accepts: () => true }

/** Of a pattern, only ajv and re2js know whether they can compile it. */
const ofText: Keyword = { isSound: () => false, accepts: (_, value) => typeof value !== 'string' }

function limit(accepts: (limit: number, value: number) => boolean): Keyword {
  return {
    isSound: Number.isFinite,
    accepts: (wanted, value) => typeof value !== 'number' || accepts(wanted as number, value),
  }
}

function length(
  of: 'string' | 'array',
  accepts: (limit: number, size: number) => boolean,
): Keyword {
  return {
    isSound: (wanted) => Number.isInteger(wanted) && (wanted as number) >= 0,
    accepts: (wanted, value) =>
      !hasType(of, value) || accepts(wanted as number, (value as { length: number }).length),
  }
}

function members(
  accepts: (wanted: unknown, value: JsonObject, schema: JsonObject) => boolean,
  isSound: Keyword['isSound'] = isPlainAt,
): Keyword {
  return {
    isSound,
    accepts: (wanted, value, schema) => !isObject(value) || accepts(wanted, value, schema),
  }
}

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries<Keyword>({
    // The host removes it from the root, and ajv looks for the one of a part.
    $schema: { isSound: (_, depth) => depth === 1, accepts: () => true },
    $comment: annotation,
    title: annotation,
    description: annotation,
    default: annotation,
    examples: annotation,
    deprecated: annotation,
    readOnly: annotation,
    writeOnly: annotation,
    format: annotation,
    contentMediaType: annotation,
    contentEncoding: annotation,
    pattern: ofText,
    'x-syntax': ofText,
    type: {
      isSound: (types) =>
        isType(types) || (listIn(types).length > 0 && listIn(types).every(isType)),
      accepts: (types, value) =>
        hasType(types, value) && (typeof value !== 'number' || Number.isFinite(value)),
    },
    const: { isSound: isScalar, accepts: (wanted, value) => isScalar(value) && value === wanted },
    enum: {
      isSound: (values) => listIn(values).length > 0 && listIn(values).every(isScalar),
      accepts: (values, value) => isScalar(value) && listIn(values).includes(value),
    },
    minimum: limit((least, value) => value >= least),
    maximum: limit((most, value) => value <= most),
    exclusiveMinimum: limit((least, value) => value > least),
    exclusiveMaximum: limit((most, value) => value < most),
    // ajv counts code points, of which each is one or two units of a string.
    minLength: length('string', (least, size) => Math.ceil(size / 2) >= least),
    maxLength: length('string', (most, size) => size <= most),
    minItems: length('array', (least, size) => size >= least),
    maxItems: length('array', (most, size) => size <= most),
    uniqueItems: {
      isSound: (wanted) => typeof wanted === 'boolean',
      accepts: (wanted, value) => wanted === false || areUnique(listIn(value)),
    },
    items: {
      isSound: isPlainAt,
      accepts: (schema, value) => listIn(value).every((item) => isPlainlyValid(schema, item)),
    },
    required: members(
      (names, value) =>
        listIn(names).every(
          (name) => value[name as string] !== undefined && Object.hasOwn(value, name as string),
        ),
      (names) => Array.isArray(names) && names.every((name) => typeof name === 'string'),
    ),
    properties: members(
      (schemas, value) =>
        Object.entries(schemas as JsonObject).every(
          ([name, schema]) => !Object.hasOwn(value, name) || isPlainlyValid(schema, value[name]),
        ),
      (schemas, depth) =>
        isObject(schemas) && Object.values(schemas).every((one) => isPlainAt(one, depth)),
    ),
    additionalProperties: members((schema, value, { properties = {} }) =>
      Object.keys(value).every(
        (name) => Object.hasOwn(properties as object, name) || isPlainlyValid(schema, value[name]),
      ),
    ),
    propertyNames: members((schema, value) =>
      Object.keys(value).every((name) => isPlainlyValid(schema, name)),
    ),
    anyOf: {
      isSound: arePlainAt,
      accepts: (parts, value) => listIn(parts).some((part) => isPlainlyValid(part, value)),
    },
    allOf: {
      isSound: arePlainAt,
      accepts: (parts, value) => listIn(parts).every((part) => isPlainlyValid(part, value)),
    },
  }),
)

/**
 * Whether a value is seen to match a schema, from a schema that is plain or that is known to compile. False says
 * nothing: only the compiled schema refuses a value. Compiling one takes longer than the rest of a first request.
 */
export function isPlainlyValid(schema: unknown, value: unknown): boolean {
  if (!isObject(schema)) return schema === true
  return Object.keys(schema).every(
    (key) => keywordOf(key)?.accepts(schema[key], value, schema) === true,
  )
}

const known = new WeakMap<JsonObject, boolean>()

/** Whether a schema has no keyword but those of `isPlainlyValid`, and ajv compiles it. Then a value may be checked without. */
export function isPlain(schema: JsonObject): boolean {
  const found = known.get(schema) ?? isPlainAt(schema, 0)
  known.set(schema, found)
  return found
}

function isPlainAt(schema: unknown, depth: number): boolean {
  if (!isObject(schema)) return typeof schema === 'boolean'
  if (depth > DEEPEST) return false
  return Object.keys(schema).every(
    (key) => keywordOf(key)?.isSound(schema[key], depth + 1) === true,
  )
}

function arePlainAt(schemas: unknown, depth: number): boolean {
  return listIn(schemas).length > 0 && listIn(schemas).every((one) => isPlainAt(one, depth))
}

/** The host checks only `x-syntax` of the keywords that begin with "x-". */
function keywordOf(key: string): Keyword | undefined {
  return KEYWORDS.get(key) ?? (key.startsWith('x-') ? annotation : undefined)
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

function areUnique(items: readonly unknown[]): boolean {
  return items.length < 2 || (items.every(isScalar) && new Set(items).size === items.length)
}
