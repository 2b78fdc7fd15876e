import { isObject, type JsonObject } from '@braidwork/plugin'

/** Keywords allowed in strict schemas. https://developers.openai.com/api/docs/guides/structured-outputs */
const KEYWORDS = new Set(
  (
    '$schema $defs $ref type properties required additionalProperties items enum const anyOf title description ' +
    'pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'
  ).split(' '),
)
const TYPES = new Set('string number integer boolean object array null'.split(' '))
const OF_OBJECTS = ['properties', 'required', 'additionalProperties']
const FORMATS = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '))
/** Matches regular expression features that linear-time engines lack: lookaround and backreferences. */
const IRREGULAR = /\(\?(?:=|!|<[=!])|\\[1-9]|\\k</

const MOST_PROPERTIES = 5000
const MOST_VALUES = 1000
const LONGEST_TEXT = 120_000
const MANY_VALUES = 250
const LONGEST_VALUES = 15_000
const DEEPEST = 10

/**
 * Whether the API can enforce an answer's schema without changes: all members are required and no others are allowed.
 * (Tool schemas are adapted by the host.)
 */
export function isStrict(schema: unknown): boolean {
  if (!isObject(schema) || schema['type'] !== 'object' || 'anyOf' in schema) return false
  const all = partsIn(schema, 0)
  const names = all.flatMap(({ part }) => [...keysIn(part, 'properties'), ...keysIn(part, '$defs')])
  const values = all.flatMap(({ part }) => listIn(part, 'enum').map(String))
  const properties = all.flatMap(({ part }) => keysIn(part, 'properties'))
  const defined = new Set(keysIn(schema, '$defs'))
  return (
    properties.length <= MOST_PROPERTIES &&
    values.length <= MOST_VALUES &&
    [...names, ...values].join('').length <= LONGEST_TEXT &&
    all.every(({ part, depth }) => depth <= DEEPEST && isHeld(part, defined))
  )
}

interface Part {
  readonly part: unknown
  readonly depth: number
}

function partsIn(part: unknown, depth: number, all: Part[] = []): readonly Part[] {
  all.push({ part, depth })
  if (!isObject(part)) return all
  for (const inner of valuesIn(part, 'properties')) partsIn(inner, depth + 1, all)
  for (const inner of valuesIn(part, '$defs')) partsIn(inner, 0, all)
  for (const inner of listIn(part, 'anyOf')) partsIn(inner, depth, all)
  if (part['items'] !== undefined) partsIn(part['items'], depth + 1, all)
  return all
}

/** Whether a part of a schema can be enforced. @param defined the names in the schema's `$defs` */
function isHeld(part: unknown, defined: ReadonlySet<string>): boolean {
  if (!isObject(part) || !Object.keys(part).every((key) => KEYWORDS.has(key))) return false
  const { type, items, $ref: reference } = part
  const types = type === undefined ? [] : [type].flat()
  if (types.length === 0 && reference === undefined && !('anyOf' in part)) return false
  if (!types.every((one) => TYPES.has(String(one)))) return false
  if (types.includes('array') && items === undefined) return false
  const isObjectPart = types.includes('object')
  const isClear = isObjectPart ? isClosed(part) : !OF_OBJECTS.some((key) => key in part)
  return isClear && hasHeldBounds(part) && isNamed(reference, defined)
}

function hasHeldBounds(part: JsonObject): boolean {
  const { format, pattern } = part
  const values = listIn(part, 'enum')
  return (
    (format === undefined || FORMATS.has(String(format))) &&
    (pattern === undefined || !IRREGULAR.test(String(pattern))) &&
    (values.length <= MANY_VALUES || values.join('').length <= LONGEST_VALUES)
  )
}

const DEFINED = '#/$defs/'

function isNamed(reference: unknown, defined: ReadonlySet<string>): boolean {
  if (reference === undefined || reference === '#') return true
  if (typeof reference !== 'string' || !reference.startsWith(DEFINED)) return false
  return defined.has(reference.slice(DEFINED.length))
}

function isClosed(part: JsonObject): boolean {
  const required = new Set(listIn(part, 'required'))
  const names = keysIn(part, 'properties')
  const isListed = names.length === required.size && names.every((name) => required.has(name))
  return part['additionalProperties'] === false && isListed
}

function listIn(part: unknown, key: string): readonly unknown[] {
  const value = isObject(part) ? part[key] : undefined
  return Array.isArray(value) ? value : []
}

function keysIn(part: unknown, key: string): readonly string[] {
  const value = isObject(part) ? part[key] : undefined
  return isObject(value) ? Object.keys(value) : []
}

function valuesIn(part: JsonObject, key: string): readonly unknown[] {
  const value = part[key]
  return isObject(value) ? Object.values(value) : []
}
