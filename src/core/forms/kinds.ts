import { isObject, type JsonObject } from '@braidwork/plugin'
import { isFixed } from '../config/index.ts'

/** The kind of field for a schema. The last four get no field. */
export type FieldKind =
  | 'choice'
  | 'text'
  | 'number'
  | 'switch'
  | 'texts'
  | 'choices'
  | 'table'
  | 'object'
  | 'map'
  | 'list'
  | 'union'
  | 'any'

const SIMPLE: { readonly [type: string]: FieldKind } = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'switch',
}

/** Determines the kind of field for a schema. */
export function kindOf(schema: JsonObject): FieldKind {
  if (isChoice(schema)) return 'choice'
  const { type, properties, items } = schema
  const simple = typeof type === 'string' ? SIMPLE[type] : undefined
  if (simple) return simple
  if (type === 'array') return listKind(items)
  if (isObject(properties) && Object.keys(properties).length > 0) return 'object'
  if (type === 'object') return 'map'
  return 'anyOf' in schema || 'oneOf' in schema || Array.isArray(type) ? 'union' : 'any'
}

function isChoice(schema: JsonObject): boolean {
  const { enum: values, oneOf, anyOf } = schema
  const listed = oneOf ?? anyOf
  return (
    Array.isArray(values) || isFixed(schema) || (Array.isArray(listed) && listed.every(isFixed))
  )
}

function listKind(items: unknown): FieldKind {
  if (!isObject(items) || items['writeOnly'] === true) return 'list'
  const kind = kindOf(items)
  if (kind === 'choice') return 'choices'
  if (kind === 'text' || kind === 'number') return 'texts'
  const isFlat = kind === 'object' && Object.values(items['properties'] as JsonObject).every(isCell)
  return isFlat ? 'table' : 'list'
}

/** Whether a schema fits into a table cell. A secret does not, because a cell would show it. */
function isCell(schema: unknown): boolean {
  if (!isObject(schema) || schema['writeOnly'] === true) return false
  return ['choice', 'text', 'number', 'switch'].includes(kindOf(schema))
}
