import type { Diagnostic, JsonObject } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { CONFIG_SCHEMA, settingsSchemaOf } from '../config/index.ts'
import { ID_LISTS } from '../resolve/index.ts'
import { DEFAULT_LOCALE } from './locale.ts'
import { plainSchema } from './plain-schema.ts'
import { fieldsFault } from './plugin-fields.ts'
import { type Descriptions, descriptionOf, titleOf } from './titles.ts'

const strings = { type: 'array', items: { type: 'string' } }

/**
 * The JSON Schema of a config file for these plugins, in draft-07, which editors support best. A plugin whose schema
 * cannot be read may have any settings, and gets a diagnostic.
 */
export function editorSchema(
  plugins: readonly AnyPlugin[],
  descriptions: Descriptions,
): { readonly schema: JsonObject; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const settings = plugins.map((plugin) => {
    const note = (fault: Diagnostic): void => void diagnostics.push(fault)
    return [plugin.name, settingsOf(plugin, descriptions, note)]
  })
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Braidwork config',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      extends: { anyOf: [{ type: 'string' }, strings] },
      ...CONFIG_SCHEMA.properties,
      provider: choiceOf(plugins, 'provider'),
      ...Object.fromEntries(ID_LISTS.map((list) => [list, idList(plugins)])),
      settings: { type: 'object', properties: Object.fromEntries(settings) },
    },
  }
  return { schema, diagnostics }
}

function settingsOf(
  plugin: AnyPlugin,
  descriptions: Descriptions,
  note: (fault: Diagnostic) => void,
): JsonObject {
  const description = descriptionOf(plugin, descriptions)
  const words = { title: titleOf(plugin, descriptions), ...(description ? { description } : {}) }
  try {
    const { schema } = plainSchema(settingsSchemaOf(plugin) ?? {}, DEFAULT_LOCALE)
    return { type: 'object', ...schema, ...words }
  } catch (error) {
    note(fieldsFault(plugin, error))
    return { type: 'object', ...words }
  }
}

/** Suggests the registered names but allows any other: an unknown name causes a diagnostic, not an error. */
function choiceOf(plugins: readonly AnyPlugin[], kind: AnyPlugin['kind']): JsonObject {
  const names = plugins.filter((plugin) => plugin.kind === kind).map(({ name }) => name)
  return { anyOf: [{ enum: names }, { type: 'string' }] }
}

function idList(plugins: readonly AnyPlugin[]): JsonObject {
  const names = plugins.filter(({ kind }) => kind !== 'provider').map(({ name }) => name)
  const ids = { type: 'array', items: { anyOf: [{ enum: names }, { type: 'string' }] } }
  const change = {
    type: 'object',
    properties: { add: ids, remove: ids },
    additionalProperties: false,
  }
  return { anyOf: [ids, change] }
}
