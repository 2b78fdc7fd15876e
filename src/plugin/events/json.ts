import { messageOf } from '../errors.ts'

/** A value that JSON can carry. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/** A JSON object of unknown content: code checks a value where it uses it. */
export type JsonObject = { readonly [key: string]: unknown }

/** A JSON Schema, also one whose type is an interface, such as those of TypeBox and of `@types/json-schema`. */
export type JsonSchema = JsonObject | { readonly type?: unknown; readonly properties?: unknown }

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

/** Finds the first place where a value is not plain JSON (a cycle, a function, `__proto__`). Undefined if it is. */
export function findJsonFault(value: unknown): JsonFault | undefined {
  try {
    // Only the report of a fault needs to tell a cycle from a deep value, and looking for cycles is half of the work.
    const fault = walk(value, 0)
    const found = fault && (walk(value, 0, new Set()) ?? fault)
    return found && { pointer: pointerOf(found.keys.reverse()), reason: found.reason }
  } catch (error) {
    // A getter or a proxy that throws.
    return { pointer: '', reason: `it cannot be read: ${messageOf(error)}` }
  }
}

/** A fault and the keys that lead to it, innermost first. Values without a fault need no path at all. */
interface Found {
  readonly reason: string
  readonly keys: (string | number)[]
}

/** @param above the objects and arrays that contain the value. Without it, a cycle is a value that is too deep. */
function walk(value: unknown, depth: number, above?: Set<unknown>): Found | undefined {
  const reason = faultOf(value, depth, above)
  if (reason !== undefined) return { reason, keys: [] }
  if (typeof value !== 'object' || value === null) return undefined
  above?.add(value)
  const found = Array.isArray(value)
    ? walkList(value, depth + 1, above)
    : walkMembers(value as JsonObject, depth + 1, above)
  above?.delete(value)
  return found
}

function walkList(
  list: readonly unknown[],
  depth: number,
  above?: Set<unknown>,
): Found | undefined {
  for (let index = 0; index < list.length; index++) {
    const found = walk(list[index], depth, above)
    if (found) return at(index, found)
  }
  return undefined
}

function walkMembers(object: JsonObject, depth: number, above?: Set<unknown>): Found | undefined {
  for (const key of Object.keys(object)) {
    const inner = object[key]
    if (inner === undefined) continue
    if (key === '__proto__') return { reason: 'the key "__proto__" is not allowed', keys: [key] }
    const found = walk(inner, depth, above)
    if (found) return at(key, found)
  }
  return undefined
}

function at(key: string | number, found: Found): Found {
  found.keys.push(key)
  return found
}

/** The fault of a value itself, whatever it contains. */
function faultOf(value: unknown, depth: number, above?: Set<unknown>): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'object') return faultOfObject(value, depth, above)
  if (typeof value !== 'number') return `a value of type ${typeof value} is not JSON`
  return Number.isFinite(value) ? undefined : `${value} is not JSON`
}

function faultOfObject(value: object, depth: number, above?: Set<unknown>): string | undefined {
  if (above?.has(value)) return 'the value contains itself'
  if (depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`
  if (Array.isArray(value) || isObject(value)) return undefined
  const { name } = Object(value.constructor) as { readonly name?: unknown }
  return `an instance of the class "${String(name)}" is not JSON; use a text or its fields`
}

/** Copies a JSON value. The copy is frozen, with everything in it. @throws {TypeError} if it is no JSON */
export function frozenCopy<T>(value: T, depth = 0): T {
  const fault = faultOf(value, depth)
  if (fault !== undefined) throw new TypeError(fault)
  if (typeof value !== 'object' || value === null) return value
  const inside = (inner: unknown) => frozenCopy(inner, depth + 1)
  // The spread makes holes of the list undefined, which is no JSON.
  if (Array.isArray(value)) return Object.freeze([...(value as unknown[])].map(inside)) as T
  const copy: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new TypeError('the key "__proto__" is not allowed')
    const inner = (value as JsonObject)[key]
    copy[key] = inner === undefined ? inner : inside(inner)
  }
  return Object.freeze(copy) as T
}

/** The arguments of a tool call that never ended: the parsed object, or the text if it is not a JSON object. */
export function inputOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && !findJsonFault(value) ? value : text
  } catch {
    return text
  }
}
