import { pointerOf } from '@braidwork/plugin'
import type { ErrorObject } from 'ajv'
import { didYouMean, listed } from '../suggest.ts'

/** The place of a value that does not match its schema, and the reason. */
export interface SchemaFault {
  /** JSON pointer into the value. */
  readonly pointer: string
  readonly message: string
}

/** Reduces ajv's errors to one fault that a person can act on. Undefined if there are no errors. */
export function toSchemaFault(
  errors: readonly ErrorObject[] | null | undefined,
): SchemaFault | undefined {
  const error = deepest(errors ?? [])
  if (!error) return undefined
  const params = error.params as { readonly [key: string]: unknown }
  if (error.keyword === 'additionalProperties')
    return unknownKey(error, String(params['additionalProperty']))
  if (error.keyword === 'required') {
    const key = String(params['missingProperty'])
    return { pointer: `${error.instancePath}${pointerOf([key])}`, message: `"${key}" is missing` }
  }
  return {
    pointer: error.instancePath,
    message: `${nameOf(error.instancePath)} ${requirement(error)}`,
  }
}

/** A person or a model mends a few faults at a time. */
const MOST_FAULTS = 10

/** Reduces all of ajv's errors to faults, one for each value: the errors of a union's alternatives are one fault. */
export function toSchemaFaults(all: readonly ErrorObject[]): readonly SchemaFault[] {
  // The branch that a value does not match has errors of its own.
  const errors = all.filter(({ keyword }) => keyword !== 'if')
  const faults: SchemaFault[] = []
  const left = new Set(errors)
  const unions = errors.filter(isUnion)
  for (const error of [...unions, ...errors]) {
    if (faults.length === MOST_FAULTS) break
    if (!left.has(error)) continue
    const group = isUnion(error) ? [...left].filter((one) => isWithin(one, error)) : [error]
    for (const one of group) left.delete(one)
    const fault = toSchemaFault(group)
    if (fault) faults.push(fault)
  }
  return faults
}

function isUnion({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

function isWithin({ schemaPath }: ErrorObject, union: ErrorObject): boolean {
  return schemaPath.startsWith(union.schemaPath)
}

/** The error in the alternative of an `anyOf` that matched deepest into the value, as it is the most informative. */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const union = errors.find(isUnion)
  const rank = (error: ErrorObject) => error.instancePath.split('/').length
  const best = errors.reduce<ErrorObject | undefined>(
    (found, error) => (found && rank(found) >= rank(error) ? found : error),
    undefined,
  )
  return union && best && rank(best) <= rank(union) ? union : best
}

function unknownKey(error: ErrorObject, key: string): SchemaFault {
  const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
  const hint = didYouMean(key, known)
  const message = `"${key}" is unknown${known.length > 0 ? `; the known keys are ${listed(known)}` : ''}.${hint}`
  return { pointer: `${error.instancePath}${pointerOf([key])}`, message }
}

function requirement(error: ErrorObject): string {
  const params = error.params as { readonly [key: string]: unknown }
  if (error.keyword === 'enum')
    return `must be one of ${listed((params['allowedValues'] as unknown[]).map(show))}`
  if (error.keyword === 'type')
    return `must be of type ${String(params['type']).replaceAll(',', ' or ')}`
  if (error.keyword === 'anyOf') return `must be ${alternatives(error)}`
  return error.message ?? 'is not valid'
}

function alternatives(error: ErrorObject): string {
  const schemas = Array.isArray(error.schema)
    ? (error.schema as { type?: string; enum?: unknown[] }[])
    : []
  const named = schemas.map((schema) =>
    schema.enum ? listed(schema.enum.map(show)) : `of type ${schema.type}`,
  )
  return named.length > 0 ? named.join(', or ') : 'of one of the allowed types'
}

function nameOf(pointer: string): string {
  return pointer === '' ? 'the value' : `"${pointer.slice(pointer.lastIndexOf('/') + 1)}"`
}

function show(value: unknown): string {
  return JSON.stringify(value)
}
