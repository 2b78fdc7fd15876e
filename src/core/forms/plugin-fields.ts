import { type Diagnostic, HostError, type JsonObject } from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import { settingsSchemaOf, validatorOf } from '../config/index.ts'
import type { Elements } from './elements.ts'
import { type FieldPlace, type FormFields, fieldsOf, MadeFields, type ValueAt } from './fields.ts'
import { type PlainSchema, plainSchema } from './plain-schema.ts'

/** The input for the fields of a plugin. */
export interface PluginFieldsInput {
  readonly plugin: AnyPlugin
  readonly elements: Elements
  readonly locale: string
  readonly valueAt: ValueAt
}

const NOTHING: JsonObject = Object.freeze({ type: 'object' })

/**
 * The fields of a plugin's settings.
 * @throws {HostError} SETTINGS_SCHEMA_INVALID, and the errors of the plugin
 */
export async function pluginFields(input: PluginFieldsInput): Promise<FormFields> {
  const { plugin, elements, locale, valueAt } = input
  const plain = await plainOf(settingsSchemaOf(plugin) ?? NOTHING, locale)
  const added = Object.entries(elements.settings)
  const place = placeOf(plain, plugin, valueAt)
  if (added.length === 0) return fieldsOf(plain.schema, place)
  const more = added.map(([id, schema]) => [id, plainSchema(schema as JsonObject, locale).schema])
  const properties = { ...(plain.schema['properties'] as object), ...Object.fromEntries(more) }
  return fieldsOf({ ...plain.schema, properties }, place)
}

/** A cache by schema and plugin, because two plugins may share a schema but have different paths. */
const madeFields = new WeakMap<PlainSchema, Map<string, MadeFields>>()

function placeOf(plain: PlainSchema, { name }: AnyPlugin, valueAt: ValueAt): FieldPlace {
  const byPlugin = madeFields.get(plain) ?? new Map<string, MadeFields>()
  madeFields.set(plain, byPlugin)
  const made = byPlugin.get(name) ?? new MadeFields()
  byPlugin.set(name, made)
  return { path: ['settings', name], left: plain.left, schemaPath: [], valueAt, made }
}

const plainSchemas = new WeakMap<JsonObject, Map<string, Promise<PlainSchema>>>()

function plainOf(schema: JsonObject, locale: string): Promise<PlainSchema> {
  const known = plainSchemas.get(schema) ?? new Map<string, Promise<PlainSchema>>()
  plainSchemas.set(schema, known)
  const plain = known.get(locale) ?? checkedPlain(schema, locale)
  known.set(locale, plain)
  return plain
}

async function checkedPlain(given: JsonObject, locale: string): Promise<PlainSchema> {
  const plain = plainSchema(given, locale)
  const { type = 'object' } = plain.schema
  if (type !== 'object') {
    throw invalid(`settings must be an object, not ${JSON.stringify(type)}`)
  }
  try {
    await validatorOf(plain.schema)
  } catch (error) {
    throw invalid(messageOf(error))
  }
  return plain
}

function invalid(reason: string): HostError {
  return new HostError(
    'SETTINGS_SCHEMA_INVALID',
    `The schema of its settings is not a JSON Schema: ${reason}`,
  )
}

/** The diagnostic for a plugin whose settings cannot be shown. The plugin stays on. */
export function fieldsFault({ kind, name }: AnyPlugin, error: unknown): Diagnostic {
  return {
    code: HostError.is(error) ? error.code : 'SETTINGS_SCHEMA_INVALID',
    level: 'error',
    plugin: name,
    message: `The form cannot show the settings of ${kind} "${name}". ${messageOf(error)}`,
  }
}
