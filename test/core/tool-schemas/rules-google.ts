import { isObject, type JsonObject } from '../../../src/plugin/events/index.ts'

// The fields of `Schema`, and what each is for: https://ai.google.dev/api/caching#Schema

const TYPES = 'STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL'.split(' ')
/** "string (int64 format)" */
const COUNTS = 'maxItems minItems minProperties maxProperties minLength maxLength'.split(' ')
const TEXTS = ['title', 'description', 'pattern', 'format', 'type']
const NUMBERS = ['minimum', 'maximum']

/** What in a schema is no field of Google's `Schema`, or has another type there. */
export function googleFaults(schema: unknown, at = ''): readonly string[] {
  if (!isObject(schema)) return [`${at}: no object`]
  const { anyOf = [], properties = {}, items } = schema
  return [
    ...Object.entries(schema).flatMap(([key, value]) =>
      isField(key, value) ? [] : [`${at}: ${key} ${JSON.stringify(value)}`],
    ),
    ...nodeFaults(schema).map((fault) => `${at}: ${fault}`),
    ...(anyOf as unknown[]).flatMap((one, index) => googleFaults(one, `${at}/anyOf/${index}`)),
    ...(items === undefined ? [] : googleFaults(items, `${at}/items`)),
    ...Object.entries(properties as JsonObject).flatMap(([name, inner]) =>
      googleFaults(inner, `${at}/properties/${name}`),
    ),
  ]
}

function nodeFaults({ anyOf, ...schema }: JsonObject): readonly string[] {
  // https://github.com/googleapis/python-genai/issues/460: "When using any_of, it must be the only field set."
  if (anyOf !== undefined) return Object.keys(schema).map((key) => `${key} beside anyOf`)
  const { type, properties, items, required = [], enum: values = [] } = schema
  const names = isObject(properties) ? Object.keys(properties) : undefined
  const missing = (required as string[]).filter((name) => !names?.includes(name))
  const texts = values as readonly unknown[]
  const rules: readonly [boolean, string][] = [
    [TYPES.includes(String(type)), `type ${String(type)}`],
    [type !== 'ARRAY' || items !== undefined, 'no items'],
    [texts.length === 0 || type === 'STRING', 'an enum of no texts'],
    [!texts.includes(''), 'an empty value'],
    // What the API says of it: "should be non-empty for OBJECT type".
    [names?.length !== 0, 'empty properties'],
    [missing.length === 0, `required ${missing.join()}`],
  ]
  return rules.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}

function isField(key: string, value: unknown): boolean {
  if (key === 'nullable') return typeof value === 'boolean'
  if (COUNTS.includes(key)) return typeof value === 'string' && /^\d+$/.test(value)
  if (TEXTS.includes(key)) return typeof value === 'string'
  if (NUMBERS.includes(key)) return typeof value === 'number'
  if (key === 'enum' || key === 'required')
    return Array.isArray(value) && value.every((one) => typeof one === 'string')
  if (key === 'anyOf') return Array.isArray(value) && value.length > 1
  return key === 'items' || key === 'properties'
}

/** The same schema in the words of JSON Schema. */
export function fromGoogle(schema: JsonObject): JsonObject {
  const { type, anyOf, properties, items, nullable, format: _, ...rest } = schema
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(rest))
    plain[key] = COUNTS.includes(key) ? Number(value) : value
  if (Array.isArray(anyOf)) return { anyOf: (anyOf as JsonObject[]).map(fromGoogle) }
  plain['type'] = String(type).toLowerCase()
  if (isObject(items)) plain['items'] = fromGoogle(items)
  if (isObject(properties)) {
    const inner = Object.entries(properties).map(([name, one]) => [
      name,
      fromGoogle(one as JsonObject),
    ])
    plain['properties'] = Object.fromEntries(inner)
  }
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain
}
