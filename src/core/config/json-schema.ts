import { type CompiledValidator, compiledValidator, messageOf } from '@braidwork/plugin/internal'
import type { ErrorObject, SchemaValidateFunction } from 'ajv'
import { CheckWork, COUNTING, withCounts } from './check-work.ts'
import { type SchemaFault, toSchemaFault } from './schema-fault.ts'

/** Checks a value and returns the first fault. Undefined if there is none. */
export type Validator = (value: unknown) => SchemaFault | undefined

type Schema = { readonly [key: string]: unknown }

const compiled = new WeakMap<Schema, Validator>()
let compiler: Promise<(schema: Schema) => Validator> | undefined

/**
 * Compiles a validator for a schema that comes from data: of a tool's arguments, or of a plugin's settings.
 * @throws {Error} if the schema itself is invalid
 */
export async function validatorOf(schema: Schema): Promise<Validator> {
  const known = compiled.get(schema)
  if (known) return known
  const validator = await newValidator(schema)
  compiled.set(schema, validator)
  return validator
}

async function newValidator(schema: Schema): Promise<Validator> {
  const load = compiledValidator(schema)
  if (load) return checkedBy(await load())
  compiler ??= loadCompiler()
  return (await compiler)(schema)
}

function checkedBy(validate: CompiledValidator): Validator {
  return (value) =>
    validate(value) ? undefined : toSchemaFault(validate.errors as readonly ErrorObject[] | null)
}

async function loadCompiler(): Promise<(schema: Schema) => Validator> {
  const [{ Ajv2020 }, { RE2JS }] = await Promise.all([import('ajv/dist/2020.js'), import('re2js')])
  // Patterns come from data. No input can make re2js hang.
  const regExp = (pattern: string) => {
    const expression = RE2JS.compile(pattern)
    // ajv identifies a pattern by its text, so equal patterns share one compiled expression.
    return { test: (text: string) => expression.matcher(text).find(), toString: () => pattern }
  }
  /** Rejects a pattern that re2js cannot compile, before a plugin runs it. */
  const hasSyntax: SchemaValidateFunction = (syntax: unknown, text: string) => {
    try {
      if (syntax === 're2') RE2JS.compile(text)
      return true
    } catch (error) {
      const message = `must be an RE2 expression: ${messageOf(error)}`
      hasSyntax.errors = [{ keyword: 'x-syntax', message, params: {} }]
      return false
    }
  }
  const options = {
    strict: false,
    validateSchema: false,
    validateFormats: false,
    ownProperties: true,
    verbose: true,
    code: { regExp: Object.assign(regExp, { code: 'undefined' }) },
  }
  return ({ $schema: _, $id: __, $async: ___, ...schema }) => {
    // One ajv for each schema: ajv keeps everything that it compiles, and each request may bring new schemas.
    const ajv = new Ajv2020(options)
    ajv.addKeyword({ keyword: 'x-syntax', type: 'string', validate: hasSyntax })
    const work = new CheckWork()
    ajv.addKeyword({ ...COUNTING, validate: work.follow })
    const validate = ajv.compile(withCounts(schema))
    return (value) => {
      work.begin(value)
      try {
        return validate(value) ? undefined : toSchemaFault(validate.errors)
      } catch (error) {
        // The value is nested deeper than the call stack; the schema is not at fault.
        return { pointer: '', message: `the value cannot be checked: ${messageOf(error)}` }
      }
    }
  }
}
