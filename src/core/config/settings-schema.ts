import { HostError, isObject, type JsonObject } from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import { readValue } from '../hooks/index.ts'

/** A schema of a library as zod or arktype. https://standardschema.dev/json-schema */
interface StandardSchema {
  readonly '~standard': {
    readonly jsonSchema?: { input(options: { readonly target: string }): unknown }
  }
}

const converted = new WeakMap<object, JsonObject>()

/**
 * The JSON Schema of a plugin's settings: as the plugin gives it, or as a library's schema says it of
 * itself; nothing where it has none. The same object for the same library schema.
 * @throws {HostError} HOOK_ANSWER_INVALID
 */
export function settingsSchemaOf(plugin: AnyPlugin): JsonObject | undefined {
  const given = readValue(plugin, 'configSchema')
  if (given === undefined) return undefined
  if (isStandardSchema(given)) return convert(plugin, given)
  if (isObject(given)) return given
  throw invalid(plugin, 'is no object')
}

/** The same, and nothing for a schema that cannot be read: the check of the settings reports it. */
export function readableSettingsSchema(plugin: AnyPlugin): JsonObject | undefined {
  try {
    return settingsSchemaOf(plugin)
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

function convert(plugin: AnyPlugin, schema: StandardSchema): JsonObject {
  const known = converted.get(schema)
  if (known) return known
  const { jsonSchema } = schema['~standard']
  if (!jsonSchema) {
    throw invalid(
      plugin,
      'says no JSON Schema of itself ("~standard.jsonSchema"); newer versions of its library do',
    )
  }
  const json = ask(plugin, jsonSchema)
  if (!isObject(json)) throw invalid(plugin, 'says something of itself that is no JSON Schema')
  converted.set(schema, json)
  return json
}

function ask(
  plugin: AnyPlugin,
  jsonSchema: { input(options: { readonly target: string }): unknown },
): unknown {
  try {
    // What a person writes, before the library's own changes to it.
    return jsonSchema.input({ target: 'draft-2020-12' })
  } catch (error) {
    throw invalid(plugin, `has no JSON Schema: ${messageOf(error)}`, error)
  }
}

function invalid({ kind, name }: AnyPlugin, fault: string, cause?: unknown): HostError {
  return new HostError('HOOK_ANSWER_INVALID', `"configSchema" of ${kind} "${name}" ${fault}`, {
    plugin: name,
    hook: 'configSchema',
    cause,
  })
}
