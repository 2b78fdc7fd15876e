import type { CallerTool } from '@braidwork/core'
import { standardJsonSchema } from '@braidwork/core/internal'
import { HostError, type ToolSafety } from '@braidwork/plugin'

/** A schema of a library such as zod, arktype or valibot. https://standardschema.dev */
export interface InputSchema<I = unknown, O = unknown> {
  readonly '~standard': {
    readonly types?: { readonly input: I; readonly output: O } | undefined
    readonly validate: (value: unknown) => Validated<O> | PromiseLike<Validated<O>>
    readonly jsonSchema?: { input(options: { readonly target: string }): unknown }
  }
}

interface Issue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

type Validated<O> =
  | { readonly value: O; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/** A JSON Schema of an object. It gives the arguments no type. */
export type JsonInputSchema = { readonly type: 'object'; readonly [key: string]: unknown }

type InputOf<S> = S extends InputSchema<unknown, infer O> ? O : { readonly [key: string]: unknown }

/** The definition of a tool of the caller. */
export interface ToolDefinition<S extends InputSchema | JsonInputSchema> {
  readonly name: string
  readonly description: string
  /** The schema of the arguments: of a library, or JSON Schema 2020-12. */
  readonly input: S
  /**
   * Runs a call with arguments that the schema has accepted, as the schema gives them out: with defaults and
   * transformations. Without it, the client runs the calls.
   */
  readonly execute?: (
    input: InputOf<S>,
    context: { readonly signal: AbortSignal; readonly callId: string },
  ) => unknown
  readonly safety?: ToolSafety
}

/**
 * Defines a tool for the `tools` of `run`. The type of the arguments of `execute` follows from the schema.
 * @throws {HostError} TOOL_SCHEMA_INVALID if the library cannot export the schema as JSON Schema
 */
export function tool<const S extends InputSchema | JsonInputSchema>({
  input,
  execute,
  ...named
}: ToolDefinition<S>): CallerTool {
  const run = execute as CallerTool['execute']
  if (!isLibrarySchema(input)) {
    return { ...named, input_schema: input, ...(run ? { execute: run } : {}) }
  }
  const input_schema = exported(named.name, input)
  if (!run) return { ...named, input_schema }
  return {
    ...named,
    input_schema,
    execute: async (given, context) => run(await parsed(input, given), context),
  }
}

function isLibrarySchema(schema: InputSchema | JsonInputSchema): schema is InputSchema {
  return '~standard' in schema
}

function exported(name: string, schema: InputSchema): CallerTool['input_schema'] {
  const { jsonSchema, fault, cause } = standardJsonSchema(schema)
  if (jsonSchema) return jsonSchema
  const message = `The input schema of the tool "${name}" ${fault}.`
  throw new HostError('TOOL_SCHEMA_INVALID', message, { cause })
}

/** The arguments as the schema gives them out. The host has checked them by its JSON Schema. */
async function parsed(schema: InputSchema, given: unknown): Promise<unknown> {
  const answer = await schema['~standard'].validate(given)
  if (answer.issues === undefined) return answer.value
  const faults = answer.issues.map(
    ({ path = [], message }) => `/${path.map(keyOf).join('/')}: ${message}`,
  )
  throw new TypeError(`The arguments are not valid:\n- ${faults.join('\n- ')}`)
}

function keyOf(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step)
}
