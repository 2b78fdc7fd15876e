import { type CompiledValidator, compiledValidator, messageOf } from '@braidwork/plugin/internal'
import type { ErrorObject, SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { CheckWork, COUNTING, COUNTING_BRANCHES, partsOf, withCounts } from './check-work.ts'
import { codeGenerationFault } from './code-generation.ts'
import { MULTIPLE_OF } from './multiple-of.ts'
import { isPlain, isPlainlyValid } from './plainly-valid.ts'
import { sameSchema } from './same-schema.ts'
import { type SchemaFault, toSchemaFault, toSchemaFaults } from './schema-fault.ts'
import { UNIQUE_ITEMS } from './unique-items.ts'

/** Checks a value and returns the first fault. Undefined if there is none. */
export type Validator = (value: unknown) => SchemaFault | undefined

type Schema = { readonly [key: string]: unknown }

interface Compiler {
  readonly findFirst: (schema: Schema) => Validator
  /** The result is undefined for a value with too many faults. */
  readonly findAll: (schema: Schema) => (value: unknown) => readonly SchemaFault[] | undefined
}

const compiled = new WeakMap<Schema, Validator>()
let compiler: Promise<Compiler> | undefined

/**
 * Compiles a validator for a schema that comes from data: of a tool's arguments, or of a plugin's settings.
 * @throws {Error} if the schema itself is invalid
 */
export async function validatorOf(schema: Schema): Promise<Validator> {
  const known = compiled.get(schema)
  if (known) return known
  const same = sameSchema(schema)
  const validator = compiled.get(same) ?? (await newValidator(same))
  compiled.set(same, validator)
  compiled.set(schema, validator)
  return validator
}

/**
 * The first fault of a value, as the validator of its schema finds it. A schema is compiled only for a value that is not
 * seen to be valid.
 * @throws {Error} if the schema itself is invalid
 */
export async function faultIn(schema: Schema, value: unknown): Promise<SchemaFault | undefined> {
  const compiles = compiledValidator(schema) !== undefined || isPlain(schema)
  if (compiles && isPlainlyValid(schema, value)) return undefined
  return (await validatorOf(schema))(value)
}

/** Checks a value and returns all faults, the first ones of many, or only one of a large value. */
export type FaultFinder = (value: unknown) => readonly SchemaFault[]

/** The most parts of a value in which all faults are found: each part may have an error for each alternative. */
const MOST_PARTS = 1_000
/** The most errors of ajv that are reduced to faults. */
const MOST_ERRORS = 5_000

const finders = new WeakMap<Schema, FaultFinder>()

/**
 * Compiles a check that finds all faults of a value, for a value that `validatorOf` has refused. It takes longer.
 * @throws {Error} if the schema itself is invalid
 */
export async function faultFinderOf(schema: Schema): Promise<FaultFinder> {
  const known = finders.get(schema)
  if (known) return known
  compiler ??= loadCompiler()
  const { findAll } = await compiler
  const findFirst = await validatorOf(schema)
  const all = findAll(schema)
  const finder = (value: unknown) => {
    const faults = partsOf(value) > MOST_PARTS ? undefined : all(value)
    return faults ?? [findFirst(value) ?? []].flat()
  }
  finders.set(schema, finder)
  return finder
}

/** The validator that the build compiled. Where its file is damaged, the schema is compiled again, which takes longer. */
async function builtValidator(schema: Schema): Promise<CompiledValidator | undefined> {
  const load = compiledValidator(schema)
  if (!load) return undefined
  try {
    const built: unknown = await load()
    if (typeof built === 'function') return built as CompiledValidator
    throw new TypeError('its file has no validator')
  } catch (error) {
    const message = `A validator that was compiled when its package was built cannot be loaded (${messageOf(error)}), so its schema is compiled now. Install the package again.`
    process.emitWarning(message, { code: 'VALIDATOR_DAMAGED' })
    return undefined
  }
}

async function newValidator(schema: Schema): Promise<Validator> {
  const built = await builtValidator(schema)
  if (built) return checkedBy(built, schema)
  compiler ??= loadCompiler()
  return (await compiler).findFirst(schema)
}

function checkedBy(validate: CompiledValidator, schema: Schema): Validator {
  return (value) =>
    validate(value)
      ? undefined
      : toSchemaFault(validate.errors as readonly ErrorObject[] | null, schema)
}

/** Of ajv, a module in CommonJS, a bundler that splits leaves only `default`. */
async function loadCompiler(): Promise<Compiler> {
  const [ajvPackage, { RE2JS }] = await Promise.all([import('ajv/dist/2020.js'), import('re2js')])
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
    // It would write the code of a function that cannot be compiled to the standard error stream.
    logger: false as const,
    code: { regExp: Object.assign(regExp, { code: 'undefined' }) },
  }
  const compile = ({ $schema: _, $id: __, $async: ___, ...schema }: Schema, allErrors: boolean) => {
    // One ajv for each schema: ajv keeps everything that it compiles, and each request may bring new schemas.
    const ajv = new ajvPackage.default.Ajv2020({ ...options, allErrors })
    ajv.addKeyword({ keyword: 'x-syntax', type: 'string', validate: hasSyntax })
    const work = withOwnKeywords(ajv)
    const root = withCounts(schema)
    const validate = compileBy(ajv, root)
    const check = (value: unknown): Found => {
      work.begin(value)
      try {
        return validate(value) ? [] : (validate.errors ?? [])
      } catch (error) {
        // The value is nested deeper than the call stack; the schema is not at fault.
        return { pointer: '', message: `the value cannot be checked: ${messageOf(error)}` }
      }
    }
    return { root, check }
  }
  return {
    findFirst: firstBy((schema) => compile(schema, false)),
    findAll: allBy((schema) => compile(schema, true)),
  }
}

function compileBy(ajv: Ajv2020, schema: Schema): ReturnType<Ajv2020['compile']> {
  try {
    return ajv.compile(schema)
  } catch (error) {
    throw codeGenerationFault(error, 'the check of its values')
  }
}

/** Replaces keywords that ajv checks wrong or slowly, and adds those that count. Returns the counts. */
function withOwnKeywords(ajv: Ajv2020): CheckWork {
  const work = new CheckWork()
  ajv.removeKeyword('multipleOf').addKeyword(MULTIPLE_OF)
  ajv.removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS)
  ajv.addKeyword({ ...COUNTING, validate: work.follow })
  ajv.addKeyword({ ...COUNTING_BRANCHES, validate: work.branch })
  return work
}

/** What ajv finds in a value, or the fault of a value that it cannot check. */
type Found = readonly ErrorObject[] | SchemaFault
type Compile = (schema: Schema) => {
  /** The schema as ajv has it, which its errors refer to. */
  readonly root: Schema
  readonly check: (value: unknown) => Found
}

function firstBy(compile: Compile): Compiler['findFirst'] {
  return (schema) => {
    const { root, check } = compile(schema)
    return (value) => {
      const found = check(value)
      return isFault(found) ? found : toSchemaFault(found, root)
    }
  }
}

function allBy(compile: Compile): Compiler['findAll'] {
  return (schema) => {
    const { root, check } = compile(schema)
    return (value) => {
      const found = check(value)
      if (isFault(found)) return [found]
      return found.length > MOST_ERRORS ? undefined : toSchemaFaults(found, root)
    }
  }
}

function isFault(found: Found): found is SchemaFault {
  return 'pointer' in found
}
