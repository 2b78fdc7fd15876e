import type { Diagnostic, JsonObject } from '@braidwork/plugin'
import { type AnyPlugin, asSentence } from '@braidwork/plugin/internal'
import { type FormData, formData } from './data.ts'
import { NO_ELEMENTS } from './elements.ts'
import { type FormFields, fieldsOf, MadeFields, type ValueAt } from './fields.ts'
import { type HostFieldsInput, hostSchema, switchesOf } from './host-fields.ts'
import type { Category, Element } from './layout.ts'
import { fieldsFault, pluginFields } from './plugin-fields.ts'
import type { SettingsInput } from './settings-input.ts'
import type { Words } from './words.ts'

/** The fields of one plugin or of the host, with their values. */
export interface Part {
  readonly fields: FormFields
  readonly form: FormData
  readonly category: Category
  readonly diagnostics: readonly Diagnostic[]
}

export interface PluginPart extends Part {
  readonly plugin: AnyPlugin
}

/** The input for all parts. */
export interface Around extends SettingsInput {
  readonly words: Words
  readonly titles: ReadonlyMap<AnyPlugin, string>
  readonly valueAt: ValueAt
}

const madeForHost = new WeakMap<JsonObject, MadeFields>()
const NOTHING_LEFT: ReadonlyMap<string, never> = new Map<string, never>()

export async function hostPart(around: Around & HostFieldsInput): Promise<Part> {
  const { plugins, resolution, masked, words, valueAt } = around
  const schema = hostSchema(around)
  const made = madeForHost.get(schema) ?? new MadeFields()
  madeForHost.set(schema, made)
  const fields = fieldsOf(schema, { path: [], left: NOTHING_LEFT, schemaPath: [], valueAt, made })
  const { provider } = resolution
  const model = masked.model ?? resolution.model
  const values = { ...masked, provider, model, switches: switchesOf(plugins, masked) }
  const form = await formData(fields.schema, values, [])
  const category = { type: 'Category', label: words.host, elements: fields.elements } as const
  return { fields, form, category, diagnostics: refusals(form) }
}

const NO_FIELDS: FormFields = { schema: { type: 'object' }, elements: [], unshown: [] }

export async function pluginPart(plugin: AnyPlugin, around: Around): Promise<PluginPart> {
  const { words, masked, titles } = around
  const { name } = plugin
  const { fields, fault } = await fieldsOrFault(plugin, around)
  const form = await formData(fields.schema, masked.settings?.[name], ['settings', name])
  const empty = fields.unshown.length > 0 ? words.elsewhere : words.nothing
  const note: Element = { type: 'Label', text: fault ? words.broken : empty }
  const category = {
    type: 'Category',
    label: titles.get(plugin) ?? name,
    elements: fields.elements.length > 0 ? fields.elements : [note],
    options: { plugin: name },
  } as const
  return {
    plugin,
    fields,
    form,
    category,
    diagnostics: [...(fault ? [fault] : []), ...refusals(form, plugin)],
  }
}

async function fieldsOrFault(
  plugin: AnyPlugin,
  { elements, locale, valueAt }: Around,
): Promise<{ readonly fields: FormFields; readonly fault?: Diagnostic }> {
  const own = elements.get(plugin.name) ?? NO_ELEMENTS
  try {
    return { fields: await pluginFields({ plugin, elements: own, locale, valueAt }) }
  } catch (error) {
    return { fields: NO_FIELDS, fault: fieldsFault(plugin, error) }
  }
}

/** Diagnostics for values that do not match the schema. They are not shown, but the config keeps them. */
function refusals({ refused }: FormData, plugin?: AnyPlugin): readonly Diagnostic[] {
  return refused.map(({ pointer, message }) => ({
    code: 'SETTINGS_INVALID',
    level: 'error',
    pointer,
    message: `The value at ${pointer} is not shown: ${asSentence(message)}`,
    ...(plugin ? { plugin: plugin.name } : {}),
  }))
}
