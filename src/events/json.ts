import { messageOf } from '../errors.ts'

/** A value that JSON can carry. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/** A JSON object; values are checked where they are used. */
export type JsonObject = { readonly [key: string]: unknown }

/** Whether a value is a plain object: not null, not an array, not an instance of a class. */
export function isObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A JSON pointer (RFC 6901) for a path of keys. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

export const MAX_DEPTH = 200

export interface JsonFault {
  readonly pointer: string
  readonly reason: string
}

/** The first place where a value is not plain JSON (a cycle, a function, `__proto__`), or nothing. */
export function findJsonFault(value: unknown): JsonFault | undefined {
  try {
    return walk(value, [], new Set())
  } catch (error) {
    // A getter or a proxy that throws.
    return { pointer: '', reason: `it cannot be read: ${messageOf(error)}` }
  }
}

function walk(
  value: unknown,
  path: (string | number)[],
  above: Set<unknown>,
): JsonFault | undefined {
  const reason = faultOf(value, path, above)
  if (reason !== undefined) return { pointer: pointerOf(path), reason }
  if (typeof value !== 'object' || value === null) return undefined
  above.add(value)
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  for (const [key, inner] of entries) {
    if (inner === undefined && !Array.isArray(value)) continue
    const fault = walk(inner, [...path, key], above)
    if (fault) return fault
  }
  above.delete(value)
  return undefined
}

function faultOf(
  value: unknown,
  path: readonly (string | number)[],
  above: ReadonlySet<unknown>,
): string | undefined {
  if (path.at(-1) === '__proto__') return 'the key "__proto__" is not allowed'
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value} is not JSON`
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value !== 'object') return `a value of type ${typeof value} is not JSON`
  if (above.has(value)) return 'the value contains itself'
  if (path.length > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`
  if (!Array.isArray(value) && !isObject(value)) return 'an instance of a class is not JSON'
  return undefined
}
