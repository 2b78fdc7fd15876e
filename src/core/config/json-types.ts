import { isObject } from '@braidwork/plugin'

const TYPES: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
}

/** Whether a value has the type, or one of the types, that the keyword `type` names. Without one, it has. */
export function hasType(type: unknown, value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return types.length === 0 || types.some((one) => TYPES[String(one)]?.(value))
}

/** Whether JSON Schema has a type of this name. */
export function isType(name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(TYPES, name)
}

/** The items of a list. Any other value has none. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
