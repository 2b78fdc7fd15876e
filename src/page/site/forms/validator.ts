import { type OutputUnit, Validator } from '@cfworker/json-schema'
import {
  type CustomValidator,
  createErrorHandler,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from '@rjsf/utils'
import type { Fault, Values } from '../server/index.ts'
import { t } from '../words/index.ts'
import { faultWords, fieldMissing } from './fault-words.ts'

type Data = unknown

/** Says that a schema inside does not fit. Those inside say why. */
const AROUND = new Set(['properties', 'items', 'allOf', 'if', 'then', 'else'])

/**
 * Checks the data of a form. Its library walks the schema: one that compiles schemas to code would need `unsafe-eval`
 * in the page's content security policy.
 */
export const validator: ValidatorType<Data> = {
  isValid: (schema, data) => data !== undefined && validatorOf(schema).validate(data).valid,
  rawValidation: <Result>(schema: RJSFSchema, data?: Data) => ({
    errors: faultsOf(schema, data) as Result[],
  }),
  validateFormData(data, schema, customValidate) {
    const errors = faultsOf(schema, data)
    const found = { errors, errorSchema: toErrorSchema<Data>(errors) }
    return customValidate ? withOwnFaults(found, data, customValidate) : found
  },
}

function withOwnFaults(
  found: ReturnType<ValidatorType<Data>['validateFormData']>,
  data: Data,
  customValidate: CustomValidator<Data>,
) {
  const handler = customValidate(data, createErrorHandler<Data>(data))
  return validationDataMerge<Data>(found, unwrapErrorHandler<Data>(handler))
}

/** Schemas are compared by identity: the form gives the same object as long as the schema is the same. */
const known = new WeakMap<object, Validator>()

function validatorOf(schema: RJSFSchema): Validator {
  const found = known.get(schema)
  if (found) return found
  const made = new Validator(structuredClone(schema) as object, '2020-12', false)
  known.set(schema, made)
  return made
}

function faultsOf(schema: RJSFSchema, data: Data): RJSFValidationError[] {
  if (data === undefined) {
    // The form has no value for an empty field, where the schema may say null.
    if (schema.type?.includes('null')) return []
    const message = t('faultMissing')
    return [{ name: 'required', message, property: '', stack: message }]
  }
  return ownFaults(schema, data).map((fault) => {
    const missing = fieldMissing(schema, fault)
    const place = propertyOf(fault.instanceLocation)
    const property = missing === undefined ? place : `${place}.${missing}`
    const message = faultWords(schema, fault, isEmpty(data, fault.instanceLocation))
    return { name: fault.keyword, message, property, stack: `${property} ${message}`.trim() }
  })
}

/**
 * Faults that a server has found, in the language of the page where the schema has them too. Others stay as they are.
 */
export function faultsInWords(
  schema: Values,
  data: Data,
  faults: readonly Fault[],
): readonly Fault[] {
  const own = new Map<string, string>()
  for (const fault of ownFaults(schema, data)) {
    const words = faultWords(schema, fault)
    const pointer = fault.instanceLocation.slice(1)
    if (words !== t('formFault_other') && !own.has(pointer)) own.set(pointer, words)
  }
  return faults.map(({ pointer, message }) => ({ pointer, message: own.get(pointer) ?? message }))
}

/** The innermost faults: of a value that is to be chosen, those of its type say nothing more. */
function ownFaults(schema: RJSFSchema, data: Data): readonly OutputUnit[] {
  const { errors } = validatorOf(schema).validate(data)
  const listed = new Set(
    errors.flatMap(({ keyword, instanceLocation }) =>
      keyword === 'enum' ? [instanceLocation] : [],
    ),
  )
  return errors
    .filter(({ keyword }) => !AROUND.has(keyword))
    .filter(({ keyword, instanceLocation: at }) => keyword !== 'type' || !listed.has(at))
}

/** Whether there is no value at a place, as in a new entry of a list. */
function isEmpty(data: Data, location: string): boolean {
  const value = keysOf(location).reduce<unknown>(
    (inner, key) => (Object(inner) as { readonly [name: string]: unknown })[key],
    data,
  )
  return value === undefined || value === null
}

/** `.a.b`, as forms name places, for the JSON pointer `#/a/b`. */
function propertyOf(location: string): string {
  return keysOf(location)
    .map((key) => `.${key}`)
    .join('')
}

function keysOf(location: string): readonly string[] {
  const keys = location.split('/').slice(1)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
