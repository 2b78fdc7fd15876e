import { isObject, type JsonObject } from '@braidwork/plugin'

/** The keys of a field that forms of MCP have as they are. */
const PLAIN_KEYS = [
  'type',
  'title',
  'description',
  'enum',
  'enumNames',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'default',
] as const
const SIMPLE: readonly unknown[] = ['string', 'number', 'integer', 'boolean']
const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time']

/** Whether a form of MCP can ask for a value of a schema in one field. */
export function isField(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const { type, enum: values, oneOf, items } = schema
  if (type === 'array') return isObject(items) && isList(items)
  if (!SIMPLE.includes(type)) return false
  return (values === undefined || isTexts(values)) && (oneOf === undefined || isChoices(oneOf))
}

/** A schema as a field, without what forms of MCP cannot say. */
export function fieldOf(schema: JsonObject): JsonObject {
  const { format, oneOf, items } = schema
  const plain = PLAIN_KEYS.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]]))
  return {
    ...Object.fromEntries(plain),
    ...(FORMATS.includes(format) ? { format } : {}),
    ...(isChoices(oneOf) ? { oneOf: oneOf.map(choiceOf) } : {}),
    ...(isObject(items) ? { items: itemsOf(items) } : {}),
  }
}

/** Whether the items of a list are chosen from given ones. */
function isList({ type, enum: values, anyOf }: JsonObject): boolean {
  return (type === 'string' && isTexts(values)) || isChoices(anyOf)
}

function itemsOf({ enum: values, anyOf }: JsonObject): JsonObject {
  return isChoices(anyOf) ? { anyOf: anyOf.map(choiceOf) } : { type: 'string', enum: values }
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((one) => typeof one === 'string')
}

interface Choice {
  readonly const: string
  readonly title: string
}

function isChoices(values: unknown): values is readonly Choice[] {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every(
      (one) =>
        isObject(one) && typeof one['const'] === 'string' && typeof one['title'] === 'string',
    )
  )
}

function choiceOf({ const: value, title }: Choice): JsonObject {
  return { const: value, title }
}
