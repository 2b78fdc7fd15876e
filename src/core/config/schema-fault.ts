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

/** The error in the alternative of an `anyOf` that matched deepest into the value, as it is the most informative. */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const union = errors.find((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
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
