import { isObject } from '@braidwork/plugin'
import { type Dialect, dialectOf } from './dialects.ts'
import { configError, type Schema } from './response-format.ts'
import { describeFaults, pointerTo } from './schema-faults.ts'
import { withTimeLimit } from './time-limit.ts'
import { UNIQUE_ITEMS } from './unique-items.ts'

/** What is wrong with a value, in words with JSON pointers; nothing where it matches. */
export type Check = (value: unknown) => readonly string[]

/** Schemas are kept compiled, the one that was used last at the end. */
const MOST_KEPT = 32
const kept = new Map<string, Check>()

/**
 * The check of a schema.
 * @throws CONFIG_INVALID, with a pointer into the schema; TIMEOUT
 */
export async function compileSchema(schema: Schema, pointer: string): Promise<Check> {
  const key = JSON.stringify(schema)
  const check = kept.get(key) ?? (await compile(schema, pointer))
  kept.delete(key)
  kept.set(key, check)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return check
}

async function compile(schema: Schema, pointer: string): Promise<Check> {
  const dialect = await dialectOf(schema['$schema'])
  if (!dialect) {
    const reason = 'known are the drafts 2020-12, which is the default, and draft-07'
    throw configError(`${pointer}/$schema`, reason)
  }
  // "$async" is ajv's own, and would make promises of verdicts.
  const { $schema: _, $async: __, ...plain } = schema
  return withTimeLimit(`Compiling the schema at "${pointer}"`, () => {
    checkSchema(plain, dialect, pointer)
    try {
      const ajv = new dialect.Ajv(dialect.options)
      ajv.removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS)
      const validate = ajv.compile(plain)
      return (value) => (validate(value) ? [] : describeFaults(validate.errors))
    } catch (error) {
      throw schemaError(error, plain, pointer)
    }
  })
}

function checkSchema(schema: Schema, { judge }: Dialect, pointer: string): void {
  if (judge.validateSchema(schema) === true) return
  const [reason = 'it is no JSON Schema'] = describeFaults(judge.errors)
  throw configError(`${pointer}${judge.errors?.[0]?.instancePath ?? ''}`, reason)
}

/** ajv names what it stumbled over, and not where that stands. */
function schemaError(error: unknown, schema: Schema, pointer: string): Error {
  const { missingRef, pattern } = isObject(error) ? error : {}
  if (typeof missingRef === 'string') {
    const reason = `nothing in the schema is at "${missingRef}", and nothing is fetched; put it into "$defs"`
    return configError(`${pointer}${pointerTo(missingRef, schema) ?? ''}`, reason, error)
  }
  if (typeof pattern === 'string') {
    const reason = `"${pattern}" is no pattern in the syntax of RE2, which has no lookaround and no references back`
    return configError(`${pointer}${pointerTo(pattern, schema) ?? ''}`, reason, error)
  }
  const reason = error instanceof Error ? error.message : 'it is no JSON Schema'
  return configError(pointer, reason, error)
}
