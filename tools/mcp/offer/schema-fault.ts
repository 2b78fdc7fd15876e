import { isObject } from '@braidwork/plugin'
import { oneLine } from '../visible.ts'

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])
/** The most schemas in one, and the deepest nesting. */
const MOST = 5_000
const DEEPEST = 60

const SCHEMAS = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
]
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

const NUMBERS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]

/** What is wrong with the JSON Schema of a tool's arguments. Undefined if a model API can be sent it. */
export function schemaFault(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'it is not an object'
  if (schema['type'] !== 'object') return 'its type is not "object"'
  return faultIn(schema, { count: 0, root: schema }, 0)
}

interface Walk {
  count: number
  readonly root: object
}

function faultIn(schema: unknown, walk: Walk, depth: number): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return 'a part of it is neither an object nor true or false'
  if (depth > DEEPEST) return `it is nested deeper than ${DEEPEST} levels`
  if (++walk.count > MOST) return `it has more than ${MOST} parts`
  return (
    ownFault(schema) ??
    referenceFault(schema['$ref'], walk.root) ??
    firstFault(partsOf(schema), walk, depth + 1)
  )
}

function ownFault(schema: { readonly [key: string]: unknown }): string | undefined {
  const { type, required, enum: values } = schema
  const types = type === undefined ? [] : [type].flat()
  if (!types.every((one) => typeof one === 'string' && TYPES.has(one)))
    return 'a "type" in it is unknown'
  if (required !== undefined && !isTexts(required))
    return 'a "required" in it is not a list of names'
  if (values !== undefined && !Array.isArray(values)) return 'an "enum" in it is not a list'
  const list = LISTS.find((key) => schema[key] !== undefined && !Array.isArray(schema[key]))
  if (list !== undefined) return `a "${list}" in it is not a list`
  const map = MAPS.find((key) => schema[key] !== undefined && !isObject(schema[key]))
  if (map !== undefined) return `a "${map}" in it is not an object`
  const number = NUMBERS.find((key) => !['number', 'undefined'].includes(typeof schema[key]))
  if (number !== undefined) return `a "${number}" in it is not a number`
  const text = ['pattern', '$ref'].find(
    (key) => !['string', 'undefined'].includes(typeof schema[key]),
  )
  return text === undefined ? undefined : `a "${text}" in it is not a text`
}

/** Nothing is downloaded, and a reference within the schema needs its target. */
function referenceFault(reference: unknown, root: object): string | undefined {
  if (typeof reference !== 'string') return undefined
  const shown = oneLine(JSON.stringify(reference.slice(0, 200)))
  if (reference.startsWith('#/'))
    return isThere(reference, root) ? undefined : `its reference ${shown} leads nowhere`
  // A part of the schema may have an address of its own.
  if (reference.startsWith('#') || hasIds(root)) return undefined
  return `its reference ${shown} leads to another document, and none is downloaded`
}

function hasIds(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.hasOwn(schema, '$id') || Object.values(schema).some(hasIds)
}

/** Whether a JSON pointer as a URI fragment has a target. RFC 6901, 6 */
function isThere(reference: string, root: object): boolean {
  const keys = reference.slice(2).split('/')
  const target = keys.reduce<unknown>((at, key) => {
    const name = decoded(key).replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof at === 'object' && at !== null && Object.hasOwn(at, name)
      ? (at as { readonly [key: string]: unknown })[name]
      : undefined
  }, root)
  return target !== undefined
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function partsOf(schema: { readonly [key: string]: unknown }): readonly unknown[] {
  const single = SCHEMAS.flatMap((key) => (schema[key] === undefined ? [] : [schema[key]].flat()))
  const listed = LISTS.flatMap((key) => (schema[key] as readonly unknown[] | undefined) ?? [])
  const mapped = MAPS.flatMap((key) => Object.values(schema[key] ?? {}))
  return [...single, ...listed, ...mapped]
}

function firstFault(parts: readonly unknown[], walk: Walk, depth: number): string | undefined {
  for (const part of parts) {
    const fault = faultIn(part, walk, depth)
    if (fault !== undefined) return fault
  }
  return undefined
}
