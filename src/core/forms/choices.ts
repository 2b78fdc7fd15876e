import { isObject, type JsonObject } from '@braidwork/plugin'
import { conditionalSchema } from './conditional-schema.ts'
import { kindOf } from './kinds.ts'

/** One of the values that a field offers. */
export interface Choice {
  readonly value: unknown
  readonly title?: string
}

/** The choices of a schema with fixed values. Undefined for any other schema. */
export function choicesOf(schema: JsonObject): readonly Choice[] | undefined {
  const { enum: values, const: only, oneOf, anyOf } = schema
  if (Array.isArray(values)) return values.map((value: unknown) => ({ value }))
  if (only !== undefined) return [{ value: only }]
  const listed: unknown = oneOf ?? anyOf
  if (!Array.isArray(listed)) return undefined
  return listed.filter(isObject).map(({ const: value, title }) => ({
    value,
    ...(typeof title === 'string' ? { title } : {}),
  }))
}

/**
 * Writes choices as keywords that all renderers support, also in lists and tables: `enum`, or `oneOf` if values have
 * titles. Renderers of JSON Forms return a selected number as a text, so numbers get a number field, which accepts only the
 * choices.
 */
export function plainChoices(schema: JsonObject): JsonObject {
  const { items } = schema
  switch (kindOf(schema)) {
    case 'choice':
      return plainChoice(schema)
    case 'choices':
      return { ...schema, items: plainChoice(items as JsonObject) }
    case 'table':
      return { ...schema, items: inCells(items as JsonObject, plainChoices) }
    default:
      return schema
  }
}

/**
 * Writes the number fields that `plainChoices` makes of choices as choices again, also in lists and tables, for a form
 * that returns a selected number as a number.
 */
export function withNumberChoices(schema: JsonObject): JsonObject {
  const { items, if: condition, then: choices, ...rest } = schema
  switch (kindOf(schema)) {
    case 'number':
      return isAlways(condition) && isObject(choices) ? { ...rest, ...choices } : schema
    case 'texts':
      return { ...schema, items: withNumberChoices(items as JsonObject) }
    case 'table':
      return { ...schema, items: inCells(items as JsonObject, withNumberChoices) }
    default:
      return schema
  }
}

function isAlways(condition: unknown): boolean {
  return isObject(condition) && Object.keys(condition).length === 0
}

function inCells(row: JsonObject, change: (cell: JsonObject) => JsonObject): JsonObject {
  const cells = Object.entries(row['properties'] as JsonObject)
  const changed = cells.map(([name, cell]) => [name, change(cell as JsonObject)] as const)
  return { ...row, properties: Object.fromEntries(changed) }
}

function plainChoice(schema: JsonObject): JsonObject {
  const { enum: _, const: __, oneOf: ___, anyOf: ____, type: _____, ...rest } = schema
  const choices = (choicesOf(schema) ?? []).filter(({ value }) => value !== null)
  const has = (type: string) => choices.every(({ value }) => typeof value === type)
  if (has('string')) return { ...rest, type: 'string', ...offered(choices) }
  if (has('boolean')) return { ...rest, type: 'boolean' }
  if (!has('number')) return schema
  const type = choices.every(({ value }) => Number.isInteger(value)) ? 'integer' : 'number'
  const description = withValues(rest['description'], choices)
  // Beside the type, `enum` would make a list of texts. In a condition that always holds, it only limits the values.
  return { ...rest, type, description, ...conditionalSchema({}, offered(choices)) }
}

function offered(choices: readonly Choice[]): JsonObject {
  if (!choices.some(({ title }) => title !== undefined))
    return { enum: choices.map(({ value }) => value) }
  return { oneOf: choices.map(({ value, title = String(value) }) => ({ const: value, title })) }
}

function withValues(description: unknown, choices: readonly Choice[]): string {
  const said = typeof description === 'string' ? `${description} ` : ''
  const values = choices.map(({ value, title }) =>
    title === undefined ? String(value) : `${String(value)}: ${title}`,
  )
  return `${said}(${values.join(', ')})`
}
