import { isObject } from '@braidwork/plugin'

/** The values of the keyword `type` (JSON Schema 2020-12, validation, 6.1.1). */
export const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const
export type TypeName = (typeof TYPES)[number]

/** Whether a value is of a type. */
export function isOf(type: TypeName, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === 'object' ? isObject(value) : typeof value === type
}
