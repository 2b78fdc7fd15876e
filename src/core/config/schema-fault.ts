import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import type { ErrorObject } from 'ajv'
import { didYouMean, listed } from '../suggest.ts'
import { type FailedUnion, type Failure, failuresOf, isUnion, reduced } from './union-fault.ts'
import { UNIQUE_ITEMS } from './unique-items.ts'

/** The place of a value that does not match its schema, and the reason. */
export interface SchemaFault {
  /** JSON pointer into the value. */
  readonly pointer: string
  readonly message: string
}

/**
 * Reduces ajv's errors to one fault that a person can act on. Undefined if there are no errors.
 * @param root the schema that was checked
 */
export function toSchemaFault(
  errors: readonly ErrorObject[] | null | undefined,
  root: JsonObject,
): SchemaFault | undefined {
  return firstFault(failuresOf(errors ?? [], root), root)[0]
}

/** The fault of the union that the errors end with, or else of the error that is deepest in the value. */
function firstFault(failures: readonly Failure[], root: JsonObject): readonly SchemaFault[] {
  const union = failures.findLast(isUnion)
  if (union) return unionFaults({ ...union, root }, firstFault)
  const [deepest] = failures.toSorted((a, b) => b.depth - a.depth)
  return deepest ? [errorFault(deepest.error)] : []
}

/** A person or a model mends a few faults at a time. */
const MOST_FAULTS = 10

/**
 * Reduces all of ajv's errors to faults. The errors of a union's branches are those of the branch that is meant, or
 * one fault.
 * @param root the schema that was checked
 */
export function toSchemaFaults(
  all: readonly ErrorObject[],
  root: JsonObject,
): readonly SchemaFault[] {
  // The branch that a value does not match has errors of its own, and so has a key.
  const errors = all.filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames')
  return allFaults(failuresOf(errors, root), root)
}

function allFaults(failures: readonly Failure[], root: JsonObject): readonly SchemaFault[] {
  const faults: SchemaFault[] = []
  for (const failure of failures) {
    if (faults.length >= MOST_FAULTS) break
    if (isUnion(failure)) faults.push(...unionFaults({ ...failure, root }, allFaults))
    else faults.push(errorFault(failure.error))
  }
  return faults.slice(0, MOST_FAULTS)
}

function unionFaults(union: FailedUnion, faultsOf: typeof allFaults): readonly SchemaFault[] {
  const found = reduced(union)
  if ('failures' in found) return faultsOf(found.failures, union.root)
  const { pointer, requirement } = found
  return [{ pointer, message: `${nameOf(pointer)} ${requirement}` }]
}

function errorFault(error: ErrorObject): SchemaFault {
  const params = error.params as { readonly [key: string]: unknown }
  if (error.keyword === 'additionalProperties')
    return unknownKey(error, String(params['additionalProperty']))
  if (error.keyword === 'required') {
    const key = String(params['missingProperty'])
    return { pointer: `${error.instancePath}${pointerOf([key])}`, message: `"${key}" is missing` }
  }
  if (error.propertyName !== undefined) return keyFault(error, error.propertyName)
  return {
    pointer: error.instancePath,
    message: `${nameOf(error.instancePath)} ${requirement(error)}`,
  }
}

/** A key that `propertyNames` refuses. */
function keyFault(error: ErrorObject, key: string): SchemaFault {
  const pointer = `${error.instancePath}${pointerOf([key])}`
  return { pointer, message: `the key "${key}" ${requirement(error)}` }
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
  if (error.keyword === 'const') return `must be ${show(params['allowedValue'])}`
  if (error.keyword === 'false schema') return 'is not allowed'
  if (error.keyword === 'pattern' && params['pattern'] === '.') return 'must not be empty'
  if (error.keyword === 'pattern' && params['pattern'] === '\\S') return 'must not be blank'
  // A validator that the build compiled has ajv's own check.
  if (error.keyword === 'uniqueItems') return UNIQUE_ITEMS.error.message
  if (error.keyword === 'not') return excluded(error.schema)
  return error.message ?? 'is not valid'
}

/** What a value must not be. Only a pattern can be said in words. */
function excluded(schema: unknown): string {
  const pattern = isObject(schema) ? schema['pattern'] : undefined
  if (typeof pattern !== 'string') return 'must NOT be valid'
  const beginning = /^\^([\w:/-]+)$/.exec(pattern)?.[1]
  return beginning === undefined
    ? `must not match pattern "${pattern}"`
    : `must not begin with "${beginning}"`
}

function nameOf(pointer: string): string {
  return pointer === '' ? 'the value' : `"${pointer.slice(pointer.lastIndexOf('/') + 1)}"`
}

function show(value: unknown): string {
  return JSON.stringify(value)
}
