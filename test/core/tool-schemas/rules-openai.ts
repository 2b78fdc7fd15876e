import { isObject, type JsonObject } from '../../../src/plugin/events/index.ts'

// The source of each rule that is quoted: https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas

/** "String, Number, Boolean, Integer, Object, Array, Enum, anyOf", and null in unions. */
const TYPES = ['string', 'number', 'boolean', 'integer', 'object', 'array', 'null']
/** "Supported properties", by type. */
const BY_TYPE: { readonly [type: string]: readonly string[] } = {
  string: ['pattern', 'format'],
  number: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  integer: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  array: ['minItems', 'maxItems', 'items'],
  object: ['properties', 'required', 'additionalProperties'],
}
const ANYWHERE = ['type', 'enum', 'const', 'anyOf', '$ref', '$defs', 'description', 'title']
const FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ')

/** What in a schema OpenAI's strict mode refuses; written from its documentation, not from the code under test. */
export function openaiFaults(root: JsonObject): readonly string[] {
  const all = schemasIn(root, '', 0)
  const names = all.flatMap(({ schema }) => Object.keys(objectOf(schema['properties'])))
  const values = all.flatMap(({ schema }) => (schema['enum'] ?? []) as unknown[])
  const text = [...names, ...Object.keys(objectOf(root['$defs'])), ...values.map(String)].join('')
  const rules: readonly [boolean, string][] = [
    // "Root objects must not be anyOf and must be an object."
    [root['type'] === 'object', 'the root is no object'],
    [!('anyOf' in root), 'the root is a union'],
    // "A schema may have up to 5000 object properties total, with up to 10 levels of nesting."
    [names.length <= 5000, 'more than 5000 properties'],
    [all.every(({ depth }) => depth <= 10), 'nested deeper than 10'],
    // "A schema may have up to 1000 enum values across all enum properties."
    [values.length <= 1000, 'more than 1000 enum values'],
    // "... total string length of all property names, definition names, enum values, and const values cannot
    // exceed 120,000 characters."
    [text.length <= 120_000, 'more than 120,000 characters'],
  ]
  return [
    ...rules.flatMap(([holds, fault]) => (holds ? [] : [fault])),
    ...all.flatMap(({ schema, at }) =>
      nodeFaults(schema, namesOf(root)).map((one) => `${at}: ${one}`),
    ),
  ]
}

interface Placed {
  readonly schema: JsonObject
  readonly at: string
  readonly depth: number
}

function schemasIn(schema: unknown, at: string, depth: number): readonly Placed[] {
  if (!isObject(schema)) return [{ schema: { no: 'schema' }, at, depth }]
  const { properties, $defs, anyOf = [], items } = schema
  const inMap = (map: unknown, key: string, deeper: number) =>
    Object.entries(objectOf(map)).flatMap(([name, one]) =>
      schemasIn(one, `${at}/${key}/${name}`, deeper),
    )
  return [
    { schema, at, depth },
    ...inMap(properties, 'properties', depth + 1),
    ...inMap($defs, '$defs', 0),
    ...(anyOf as unknown[]).flatMap((one, index) => schemasIn(one, `${at}/anyOf/${index}`, depth)),
    ...(items === undefined ? [] : schemasIn(items, `${at}/items`, depth + 1)),
  ]
}

function nodeFaults(schema: JsonObject, references: readonly string[]): readonly string[] {
  const { type, format, $ref: reference, enum: values = [], items } = schema
  const types = [type ?? []].flat() as string[]
  const allowed = [...ANYWHERE, ...types.flatMap((one) => BY_TYPE[one] ?? [])]
  const texts = values as readonly unknown[]
  const rules: readonly [boolean, string][] = [
    [types.every((one) => TYPES.includes(one)), `type ${types.join()}`],
    [Object.keys(schema).every((key) => allowed.includes(key)), Object.keys(schema).join()],
    [['type', 'anyOf', '$ref'].some((key) => key in schema), 'no type'],
    [format === undefined || FORMATS.includes(String(format)), `format ${String(format)}`],
    [!types.includes('array') || items !== undefined, 'no items'],
    [reference === undefined || references.includes(String(reference)), 'names nothing'],
    // "For a single enum property with string values, the total string length of all enum values cannot exceed
    // 15,000 characters when there are more than 250 enum values."
    [texts.length <= 250 || texts.join('').length <= 15_000, 'a long enum'],
    [!types.includes('object') || isClosed(schema), 'open, or not all required'],
  ]
  return rules.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}

/** "additionalProperties: false must always be set in objects", and "All fields must be required". */
function isClosed({ properties, required = [], additionalProperties }: JsonObject): boolean {
  const names = Object.keys(objectOf(properties)).sort()
  return (
    additionalProperties === false && names.join() === [...(required as string[])].sort().join()
  )
}

function namesOf(root: JsonObject): readonly string[] {
  return ['#', ...Object.keys(objectOf(root['$defs'])).map((name) => `#/$defs/${name}`)]
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
