import { HostError, isObject, type JsonObject } from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import { readValue } from '../hooks/index.ts'

/** A schema object of a library such as zod or arktype. https://standardschema.dev/json-schema */
interface StandardSchema {
  readonly '~standard': {
    readonly jsonSchema?: { input(options: { readonly target: string }): unknown }
    validate?(value: unknown): unknown
  }
}

const converted = new WeakMap<object, JsonObject>()

/**
 * The JSON Schema of a plugin's settings: the plugin's own, or the one that a library's schema object exports.
 * Undefined if the plugin has none. The same library schema always gives the same object.
 * @throws {HostError} HOOK_ANSWER_INVALID
 */
export function settingsSchemaOf(plugin: AnyPlugin): JsonObject | undefined {
  const given = readValue(plugin, 'configSchema')
  if (given === undefined) return undefined
  if (isStandardSchema(given)) return convert(plugin, given)
  if (isObject(given)) return given
  throw invalid(plugin, 'is not an object')
}

/** The schema, or undefined if it cannot be read: the check of the settings reports that error. */
export function readableSettingsSchema(plugin: AnyPlugin): JsonObject | undefined {
  try {
    return settingsSchemaOf(plugin)
  } catch {
    return undefined
  }
}

/** The interface of the library's schema object of a plugin. Undefined if the plugin has none, or it cannot be read. */
export function standardSchemaOf(plugin: AnyPlugin): StandardSchema['~standard'] | undefined {
  try {
    const given = readValue(plugin, 'configSchema')
    return isStandardSchema(given) ? given['~standard'] : undefined
  } catch {
    return undefined
  }
}

function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    '~standard' in value
  )
}

/** The JSON Schema that a library's schema object exports, or why it exports none. */
export interface ExportedSchema {
  readonly jsonSchema?: JsonObject
  /** A predicate, such as "cannot export a JSON Schema". */
  readonly fault?: string
  readonly cause?: unknown
}

/** Exports a library's schema object as JSON Schema: the schema of the input, before the library transforms it. */
export function standardJsonSchema(schema: StandardSchema): ExportedSchema {
  const known = converted.get(schema)
  if (known) return { jsonSchema: known }
  const { jsonSchema } = schema['~standard']
  if (!jsonSchema) {
    return {
      fault: 'cannot export a JSON Schema ("~standard.jsonSchema"); update its library',
    }
  }
  try {
    const json = jsonSchema.input({ target: 'draft-2020-12' })
    if (!isObject(json)) return { fault: 'exports a value that is not a JSON Schema' }
    converted.set(schema, json)
    return { jsonSchema: json }
  } catch (cause) {
    return { fault: `cannot be exported as JSON Schema: ${messageOf(cause)}`, cause }
  }
}

function convert(plugin: AnyPlugin, schema: StandardSchema): JsonObject {
  const { jsonSchema, fault = '', cause } = standardJsonSchema(schema)
  if (jsonSchema) return jsonSchema
  throw invalid(plugin, fault, cause)
}

function invalid({ kind, name }: AnyPlugin, fault: string, cause?: unknown): HostError {
  return new HostError('HOOK_ANSWER_INVALID', `"configSchema" of ${kind} "${name}" ${fault}`, {
    plugin: name,
    hook: 'configSchema',
    cause,
  })
}
