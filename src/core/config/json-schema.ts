import { messageOf } from '@braidwork/plugin/internal'
import type { SchemaValidateFunction } from 'ajv'
import { CheckWork, COUNTING, withCounts } from './check-work.ts'
import { type SchemaFault, toSchemaFault } from './schema-fault.ts'

/** Checks a value; the first fault, or nothing. */
export type Validator = (value: unknown) => SchemaFault | undefined

type Schema = { readonly [key: string]: unknown }

const compiled = new WeakMap<Schema, Validator>()
let compiler: Promise<(schema: Schema) => Validator> | undefined

/**
 * A validator for a schema that comes from data: a tool's arguments, a plugin's settings.
 * @throws {Error} where the schema itself is not one
 */
export async function validatorOf(schema: Schema): Promise<Validator> {
  const known = compiled.get(schema)
  if (known) return known
  compiler ??= loadCompiler()
  const validator = (await compiler)(schema)
  compiled.set(schema, validator)
  return validator
}

async function loadCompiler(): Promise<(schema: Schema) => Validator> {
  const [{ Ajv2020 }, { RE2JS }] = await Promise.all([import('ajv/dist/2020.js'), import('re2js')])
  // Patterns come from data: on re2js no input can hang them. DESIGN 6
  const regExp = (pattern: string) => {
    const expression = RE2JS.compile(pattern)
    // ajv knows the patterns of a schema by their text: two that read the same are one.
    return { test: (text: string) => expression.matcher(text).find(), toString: () => pattern }
  }
  /** A pattern that a plugin runs on re2js is found to be none before it runs. */
  const hasSyntax: SchemaValidateFunction = (syntax: unknown, text: string) => {
    try {
      if (syntax === 're2') RE2JS.compile(text)
      return true
    } catch (error) {
      const message = `must be an expression of RE2: ${messageOf(error)}`
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
    // One ajv a schema: it keeps all that it ever compiled, and schemas may be made anew for each request.
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
        // A value nested deeper than the stack: no fault of the schema.
        return { pointer: '', message: `the value cannot be checked: ${messageOf(error)}` }
      }
    }
  }
}
