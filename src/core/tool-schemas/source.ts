import { findJsonFault, HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { jsonReason, referred } from '../config/index.ts'

/** The most parts of one schema after references are resolved; no model reads more. */
const MOST_PARTS = 30_000

/** The most objects and lists in one schema. A part consists of several. */
const MOST_OBJECTS = 4 * MOST_PARTS

/** The deepest nesting of references that is followed. */
export const DEEPEST_REFERENCES = 100

/** A tool's schema while it is read. Knows the pointer of each part and the targets of references. */
export class SchemaSource {
  readonly root: JsonObject
  readonly #pointers = new WeakMap<object, string>()
  #parts = 0
  #noted = 0

  /** @throws {HostError} TOOL_SCHEMA_INVALID, if the schema is not JSON or is nested too deep */
  constructor(root: JsonObject) {
    const fault = findJsonFault(root)
    if (fault) throw schemaInvalid(fault.pointer, jsonReason(root, fault))
    this.root = root
    this.#note(root, [])
  }

  /** The pointer of a part of the schema. A part that was merged from several has the pointer `otherwise`. */
  pointerOf(part: unknown, otherwise: string): string {
    return (isObject(part) ? this.#pointers.get(part) : undefined) ?? otherwise
  }

  /** Counts a part. @throws {HostError} TOOL_SCHEMA_INVALID, if there are too many */
  count(): void {
    if (++this.#parts <= MOST_PARTS) return
    const fault = `with its references resolved it has more than ${MOST_PARTS} parts`
    throw schemaInvalid('', fault)
  }

  /** Follows a reference, and the references that it leads to. Returns the final pointer and the schema there. */
  follow(reference: unknown, from: string): { readonly target: string; readonly schema: unknown } {
    const seen = new Set<string>()
    for (let at = reference; ; ) {
      const target = this.#targetOf(at, from)
      if (seen.has(target)) throw schemaInvalid(from, `"$ref" leads in a circle: ${show(at)}`)
      seen.add(target)
      const schema = referred(this.root, `#${target}`)
      if (schema === undefined)
        throw schemaInvalid(from, `"$ref" points to a place that does not exist: ${show(at)}`)
      if (!isObject(schema) || !('$ref' in schema) || Object.keys(schema).length > 1) {
        return { target, schema }
      }
      at = schema['$ref']
    }
  }

  #targetOf(reference: unknown, from: string): string {
    if (typeof reference !== 'string') throw schemaInvalid(from, '"$ref" is not a string')
    if (reference === '#' || reference.startsWith('#/')) return reference.slice(1)
    throw schemaInvalid(
      from,
      `"$ref" is not a pointer within the schema: ${show(reference)}. Put the referenced schema into "$defs".`,
    )
  }

  #note(value: unknown, path: readonly (string | number)[]): void {
    if (typeof value !== 'object' || value === null) return
    if (++this.#noted > MOST_OBJECTS)
      throw schemaInvalid('', `it has more than ${MOST_OBJECTS} objects and lists`)
    if (!Array.isArray(value)) this.#pointers.set(value, pointerOf(path))
    for (const [key, inner] of Object.entries(value)) this.#note(inner, [...path, key])
  }
}

/** The error for a fault in a tool's `input_schema`. */
export function schemaInvalid(pointer: string, reason: string): HostError {
  const where = pointer === '' ? '' : ` at ${pointer}`
  return new HostError(
    'TOOL_SCHEMA_INVALID',
    `its "input_schema" is not a valid schema${where}: ${reason}`,
    {
      pointer,
    },
  )
}

function show(value: unknown): string {
  return JSON.stringify(value)
}
