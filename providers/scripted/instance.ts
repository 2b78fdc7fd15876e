import { isObject, type JsonObject, type ResponseFormat } from '@braidwork/plugin'
import type { Bounds } from './fits.ts'
import { fillString } from './instance-strings.ts'
import { pairValue } from './pairs.ts'
import { enumOf, propertiesOf, typeOf } from './schema.ts'
import { resolveSchema } from './schema-refs.ts'
import type { Turn } from './turn.ts'

/** The data that an instance is filled from. */
export interface Source {
  /** The answer in words. */
  readonly text: string
  readonly turn: Turn
}

interface Place {
  readonly root: JsonObject
  readonly source: Source
  /** The name of the property being filled. */
  readonly name: string
  readonly depth: number
}

/** The maximum depth, for recursive schemas. */
const DEEPEST = 12
/** The maximum length of a generated list. */
const MOST_ITEMS = 100

/** The answer as JSON for the response format; `undefined` if the format is plain text. */
export function instanceText(
  format: ResponseFormat | undefined,
  text: string,
  turn: Turn,
): string | undefined {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json') return JSON.stringify({ answer: text })
  return JSON.stringify(instanceOf(format.schema, { text, turn }))
}

/** A small value that matches a schema, filled from the request and results where names match. */
export function instanceOf(schema: JsonObject, source: Source): unknown {
  return fill(schema, { root: schema, source, name: '', depth: 0 })
}

function fill(given: unknown, place: Place): unknown {
  const schema = resolveSchema(given, place.root)
  if (schema === undefined) return null
  const known = knownValue(schema, place)
  if (known !== undefined) return known
  const allowed = enumOf(schema)
  if (allowed) return allowed[0]
  if (schema['default'] !== undefined) return schema['default']
  switch (typeOf(schema)) {
    case 'object':
      return fillObject(schema, place)
    case 'array':
      return fillArray(schema, place)
    case 'number':
    case 'integer':
      return fillNumber(schema)
    case 'boolean':
      return false
    case 'null':
      return null
    case undefined:
      return schema['type'] === undefined ? place.source.text : null
    default:
      return fillString(schema, place.name, place.source.text)
  }
}

/** A value that the request or a result gives under the property's name. */
function knownValue(schema: JsonObject, { name, source, depth }: Place): unknown {
  if (name === '' || depth > 1) return undefined
  const type = typeOf(schema)
  if (type === 'object' || type === 'array') return undefined
  const property = { name, schema, type, isRequired: true }
  const outputs = source.turn.results.map(({ output }) => output).filter(isObject)
  const result = outputs.findLast((output) => Object.hasOwn(output, name))?.[name]
  const asked = pairValue(source.turn.asked, property)
  return asked ?? (isScalar(result) ? pairValue(`${name}: ${result}`, property) : undefined)
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Fills required properties, and those that the request has a value for. */
function fillObject(schema: JsonObject, place: Place): JsonObject {
  const properties = propertiesOf(schema)
  const declared = new Set(properties.map(({ name }) => name))
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const undeclared = required.filter((name) => !declared.has(name) && name !== '__proto__')
  const isDeep = place.depth >= DEEPEST
  const entries = properties.flatMap(({ name, schema: inner, isRequired }) => {
    const within = { ...place, name, depth: place.depth + 1 }
    if (isRequired) return [[name, isDeep ? null : fill(inner, within)]]
    const resolved = resolveSchema(inner, place.root)
    const known = resolved && knownValue(resolved, within)
    return known === undefined ? [] : [[name, known]]
  })
  const rest = undeclared.map((name) => [name, place.source.text])
  return Object.fromEntries([...entries, ...rest])
}

function fillArray(schema: JsonObject, place: Place): unknown[] {
  const prefix: readonly unknown[] = Array.isArray(schema['prefixItems'])
    ? schema['prefixItems']
    : []
  const wanted = Math.min(Number(schema['minItems'] ?? 0) || 0, MOST_ITEMS)
  if (place.depth >= DEEPEST) return []
  return Array.from({ length: wanted }, (_, index) => {
    const value = fill(prefix[index] ?? schema['items'] ?? {}, { ...place, depth: place.depth + 1 })
    // Unique items are made different by appending their number.
    if (schema['uniqueItems'] !== true || index === 0) return value
    return typeof value === 'number'
      ? value + index
      : typeof value === 'string'
        ? `${value} ${index + 1}`
        : value
  })
}

function fillNumber(schema: JsonObject): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Bounds
  const step = multipleOf ?? (typeOf(schema) === 'integer' ? 1 : 0)
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity)
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity)
  if (0 > least && 0 < most) return 0
  if (step > 0) return stepFrom(least, most, step, exclusiveMinimum === least)
  if (least === -Infinity) return exclusiveMaximum === most ? most - 1 : most
  if (exclusiveMinimum !== least) return least
  return most === Infinity ? least + 1 : (least + most) / 2
}

function stepFrom(least: number, most: number, step: number, isExclusive: boolean): number {
  if (least === -Infinity) return times(Math.floor(most / step) - (most % step === 0 ? 1 : 0), step)
  const first = Math.ceil(least / step)
  return times(isExclusive && times(first, step) === least ? first + 1 : first, step)
}

/** A multiple as JSON writes it: 3 * 0.1 is 0.30000000000000004 as a float. */
function times(count: number, step: number): number {
  return Number((count * step).toPrecision(15))
}
