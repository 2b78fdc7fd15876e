import type { CallerTool } from '@braidwork/core'
import { standardJsonSchema, unknownOption } from '@braidwork/core/internal'
import { HostError, type JsonSchema, type SettingsOf, type ToolSafety } from '@braidwork/plugin'
import type { RuntimeTool } from './runtime/index.ts'

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

/** A JSON Schema of an object. Its `properties` give the arguments their types, as far as the type system knows them. */
export type JsonInputSchema = JsonSchema

/** What a JSON Schema must be beside its own type: one of an object. */
type OfObject<S> = S extends InputSchema
  ? unknown
  : S extends { readonly type?: infer T }
    ? 'type' extends keyof S
      ? 'object' extends T
        ? unknown
        : { readonly type: 'object' }
      : { readonly type: 'object' }
    : never

type InputOf<S> =
  S extends InputSchema<unknown, infer O>
    ? O
    : S extends { readonly properties: object }
      ? SettingsOf<WithoutDefaults<S>>
      : { readonly [key: string]: unknown }

/** A JSON Schema without its defaults: they are for the model, and no argument is there because of one. */
type WithoutDefaults<S> = S extends readonly unknown[]
  ? { readonly [I in keyof S]: WithoutDefaults<S[I]> }
  : S extends object
    ? {
        readonly [K in keyof S as K extends 'default' ? never : K]: K extends 'properties'
          ? { readonly [P in keyof S[K]]: WithoutDefaults<S[K][P]> }
          : WithoutDefaults<S[K]>
      }
    : S

/** The definition of a tool of the caller. */
export interface ToolDefinition<S extends InputSchema | JsonInputSchema> {
  readonly name: string
  readonly description: string
  /** The schema of the arguments: of a library, or JSON Schema 2020-12. */
  readonly input: S & OfObject<S>
  /**
   * Runs a call with arguments that the schema has accepted, as the schema gives them out: with defaults and
   * transformations. Without it, the client runs the calls.
   */
  readonly execute?: (
    input: InputOf<S>,
    context: { readonly signal: AbortSignal; readonly callId: string },
  ) => unknown
  readonly safety?: ToolSafety
  /** The schema of the result. It is for clients, and checks nothing. */
  readonly output_schema?: NonNullable<CallerTool['output_schema']>
  /** As in {@link CallerTool}. The default is false. */
  readonly replaces?: boolean
}

/**
 * Defines a tool for the `tools` of `run`, or with `execute` for a runtime. The type of the arguments of `execute` follows
 * from the schema.
 * @throws {HostError} TOOL_SCHEMA_INVALID if the library cannot export the schema as JSON Schema; OPTION_INVALID for an
 * unknown or a missing member
 */
export function tool<const S extends InputSchema | JsonInputSchema>(
  definition: ToolDefinition<S> & Required<Pick<ToolDefinition<S>, 'execute'>>,
): RuntimeTool
export function tool<const S extends InputSchema | JsonInputSchema>(
  definition: ToolDefinition<S>,
): CallerTool
export function tool<const S extends InputSchema | JsonInputSchema>(
  definition: ToolDefinition<S>,
): CallerTool {
  assertDefinition(definition)
  const { input, execute, ...named } = definition
  const run = execute as CallerTool['execute']
  if (!isLibrarySchema(input)) {
    return { ...named, input_schema: input, ...(run ? { execute: run } : {}) }
  }
  const input_schema = exported(named.name, input)
  if (!run) return { ...named, input_schema }
  return {
    ...named,
    input_schema,
    execute: async (given, context) => run(await parsed(named.name, input, given), context),
  }
}

const MEMBERS: { readonly [name in keyof ToolDefinition<JsonInputSchema>]-?: true } = {
  name: true,
  description: true,
  input: true,
  execute: true,
  safety: true,
  output_schema: true,
  replaces: true,
}

/** Definitions for other hosts have other names for the same, such as "inputSchema", and code may be untyped. */
function assertDefinition(definition: object): void {
  const { name, description, input, execute } = definition as { readonly [key: string]: unknown }
  const of = typeof name === 'string' ? `The tool "${name}"` : 'A tool'
  for (const key of Object.keys(definition)) {
    if (!(key in MEMBERS)) throw unknownOption(of, `/${key}`, Object.keys(MEMBERS))
  }
  if (typeof name !== 'string' || name === '') throw missing('A tool', 'name', 'a text')
  if (typeof description !== 'string') throw missing(of, 'description', 'a text for the model')
  if (Object(input) !== input) throw missing(of, 'input', 'the schema of its arguments')
  const { type = 'object' } = input as { readonly type?: unknown }
  if (!isLibrarySchema(input as InputSchema) && type !== 'object')
    throw missing(of, 'input', `a schema of an object, and it has the type ${JSON.stringify(type)}`)
  if (execute === undefined || typeof execute === 'function') return
  throw missing(of, 'execute', 'a function; without it, the client runs the calls')
}

function missing(of: string, member: string, expected: string): HostError {
  const message = `${of} needs "${member}": ${expected}.`
  return new HostError('OPTION_INVALID', message, { pointer: `/${member}` })
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

/**
 * The arguments as the schema gives them out. The host has checked them by its JSON Schema.
 * @throws {HostError} OPTION_INVALID if the library refuses them
 */
async function parsed(name: string, schema: InputSchema, given: unknown): Promise<unknown> {
  const answer = await schema['~standard'].validate(given)
  if (answer.issues === undefined) return answer.value
  const faults = answer.issues.map(
    ({ path = [], message }) => `/${path.map(keyOf).join('/')}: ${message}`,
  )
  const rest = faults.length === 1 ? ` at ${faults[0]}` : `:\n- ${faults.join('\n- ')}`
  throw new HostError('OPTION_INVALID', `The arguments of "${name}" are not valid${rest}`)
}

function keyOf(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step)
}
