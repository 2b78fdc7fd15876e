import { type Dialect, dialectOf } from './dialects.ts'
import { MULTIPLE_OF } from './multiple-of.ts'
import { configError, type Schema } from './response-format.ts'
import { describeFaults, pointerTo } from './schema-faults.ts'
import { withTimeLimit } from './time-limit.ts'
import { UNIQUE_ITEMS } from './unique-items.ts'

/** Returns the faults of a value, as sentences with JSON pointers; an empty list if the value matches. */
export type Check = (value: unknown) => readonly string[]

/** The maximum number of compiled schemas in the cache. The most recently used is last. */
const MOST_KEPT = 32
const kept = new Map<string, Check>()

/**
 * Compiles a schema to a check.
 * @throws CONFIG_INVALID with a pointer into the schema; TIMEOUT
 */
export async function compileSchema(schema: Schema, pointer: string): Promise<Check> {
  const key = JSON.stringify(schema)
  const check = kept.get(key) ?? (await compileAllowed(schema, pointer))
  kept.delete(key)
  kept.set(key, check)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return check
}

const FLAG = '--disallow-code-generation-from-strings'

/** Where generated code is forbidden, no schema can be compiled: not even that of a draft. */
async function compileAllowed(schema: Schema, pointer: string): Promise<Check> {
  try {
    return await compile(schema, pointer)
  } catch (error) {
    throw error instanceof EvalError ? configError(pointer, codeFault(), error) : error
  }
}

function codeFault(): string {
  const { execArgv = [], env = {} }: Partial<Pick<NodeJS.Process, 'execArgv' | 'env'>> = process
  // V8 takes underscores in its flags too.
  const flags = [...execArgv, env['NODE_OPTIONS']].join(' ').replaceAll('_', '-')
  const cause = flags.includes(FLAG)
    ? `"${FLAG}" forbids; run Node without this flag`
    : 'this environment forbids'
  return `it is checked by generated code, which ${cause}`
}

async function compile(schema: Schema, pointer: string): Promise<Check> {
  const dialect = await dialectOf(schema['$schema'])
  if (!dialect) {
    const reason = 'the draft is not supported; use 2020-12 (the default) or draft-07'
    throw configError(`${pointer}/$schema`, reason)
  }
  // "$async" is an extension of ajv that would make checks return promises.
  const { $schema: _, $async: __, ...plain } = schema
  return withTimeLimit(`Compiling the schema at "${pointer}"`, () => {
    checkSchema(plain, dialect, pointer)
    try {
      const ajv = new dialect.Ajv(dialect.options)
      ajv.removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS)
      ajv.removeKeyword('multipleOf').addKeyword(MULTIPLE_OF)
      const validate = ajv.compile(plain)
      return (value) => (validate(value) ? [] : describeFaults(validate.errors))
    } catch (error) {
      throw schemaError(error, plain, pointer)
    }
  })
}

function checkSchema(schema: Schema, { judge }: Dialect, pointer: string): void {
  if (judge.validateSchema(schema) === true) return
  const [reason = 'it is not a JSON Schema'] = describeFaults(judge.errors)
  throw configError(`${pointer}${judge.errors?.[0]?.instancePath ?? ''}`, reason)
}

/** Converts ajv's error, and adds the pointer of the faulty keyword, which ajv does not give. */
function schemaError(error: unknown, schema: Schema, pointer: string): Error {
  const { missingRef, pattern } = Object(error) as { missingRef?: unknown; pattern?: unknown }
  if (typeof missingRef === 'string') {
    const reason = `the schema has no definition "${missingRef}", and remote schemas are not fetched; put it into "$defs"`
    return configError(`${pointer}${pointerTo(missingRef, schema) ?? ''}`, reason, error)
  }
  if (typeof pattern === 'string') {
    const reason = `"${pattern}" is not a valid RE2 pattern; RE2 has no lookaround and no backreferences`
    return configError(`${pointer}${pointerTo(pattern, schema) ?? ''}`, reason, error)
  }
  const reason = error instanceof Error ? error.message : 'it is not a JSON Schema'
  return configError(pointer, reason, error)
}
