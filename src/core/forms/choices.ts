import { isObject, type JsonObject } from '@braidwork/plugin'
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
 * titles. Renderers return a selected number as a string, so numbers get an ordinary number field.
 */
export function plainChoices(schema: JsonObject): JsonObject {
  const { items } = schema
  switch (kindOf(schema)) {
    case 'choice':
      return plainChoice(schema)
    case 'choices':
      return { ...schema, items: plainChoice(items as JsonObject) }
    case 'table':
      return { ...schema, items: plainCells(items as JsonObject) }
    default:
      return schema
  }
}

function plainCells(row: JsonObject): JsonObject {
  const cells = Object.entries(row['properties'] as JsonObject)
  return {
    ...row,
    properties: Object.fromEntries(
      cells.map(([name, cell]) => [name, plainChoices(cell as JsonObject)]),
    ),
  }
}

function plainChoice(schema: JsonObject): JsonObject {
  const { enum: _, const: __, oneOf: ___, anyOf: ____, type: _____, ...rest } = schema
  const choices = (choicesOf(schema) ?? []).filter(({ value }) => value !== null)
  const has = (type: string) => choices.every(({ value }) => typeof value === type)
  if (has('string')) return { ...rest, type: 'string', ...offered(choices) }
  if (has('boolean')) return { ...rest, type: 'boolean' }
  if (!has('number')) return schema
  const type = choices.every(({ value }) => Number.isInteger(value)) ? 'integer' : 'number'
  return { ...rest, type, description: withValues(rest['description'], choices) }
}

function offered(choices: readonly Choice[]): JsonObject {
  if (!choices.some(({ title }) => title !== undefined))
    return { enum: choices.map(({ value }) => value) }
  return { oneOf: choices.map(({ value, title = value }) => ({ const: value, title })) }
}

function withValues(description: unknown, choices: readonly Choice[]): string {
  const said = typeof description === 'string' ? `${description} ` : ''
  const values = choices.map(({ value, title }) =>
    title === undefined ? String(value) : `${String(value)}: ${title}`,
  )
  return `${said}(${values.join(', ')})`
}
