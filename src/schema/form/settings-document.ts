import type { Diagnostic } from '../../errors.ts'
import { isObject, type JsonObject, pointerOf } from '../../events/index.ts'
import type { AnyPlugin, Config } from '../../plugin/internal.ts'
import type { EnabledPlugins, Resolution, TraceEntry } from '../../resolve/index.ts'
import type { Recording } from '../recording.ts'
import { type FormData, formData } from './data.ts'
import { type Action, type Elements, NO_ELEMENTS } from './elements.ts'
import { type Fields, fieldsOf, MadeFields, type ValueAt } from './fields.ts'
import { type HostFieldsInput, hostSchema, switchesOf } from './host-fields.ts'
import type { Categorization, Category, Element } from './layout.ts'
import { fieldsFault, pluginFields } from './plugin-fields.ts'
import { type Descriptions, titleOf } from './titles.ts'
import { type Words, wordsFor } from './words.ts'

/** What one plugin, or the host, has to set. */
export interface Section {
  /** None for the host's own. */
  readonly plugin?: string
  readonly kind: 'host' | AnyPlugin['kind']
  readonly title: string
  /** As its manifest has it. */
  readonly description?: string
  readonly on: boolean
  /** Why, in the locale's words; `rule`, `round`, `missing` and `forbidden` are those of the resolution's trace. */
  readonly why?: string
  readonly rule?: TraceEntry['rule']
  readonly round?: number
  readonly missing?: readonly string[]
  readonly forbidden?: readonly string[]
  /** JSON pointer into `schema`, and into `uischema`; none where the plugin is off. */
  readonly schema?: string
  readonly category?: string
  /** JSON pointers into the config of secrets that have a value. */
  readonly secretsSet: readonly string[]
  /** Settings that have no field, as JSON pointers into the config, and why, in the locale's words. */
  readonly unshown: readonly { readonly pointer: string; readonly reason: string }[]
  /** What a person may have it do: `host.runAction(action.plugin, action.id, input, config)`. */
  readonly actions: readonly Action[]
}

/** Choices that an API may be asked for again, by `host.refreshModels(config)`. */
export interface DynamicChoices {
  /** Into the data. */
  readonly pointer: string
  /** Into the config: when one of these changes, what was asked for before no longer holds. */
  readonly dependsOn: readonly string[]
  readonly refresh: 'refreshModels'
}

/** The settings for a config, as any form can show them. Plain JSON. */
export interface SettingsDocument {
  /** JSON Schema of `data`, valid as draft-07 and as 2020-12. */
  readonly schema: JsonObject
  /** The layout, as JSON Forms says it: a category for the host, then one for each plugin that is on. */
  readonly uischema: Categorization
  /**
   * A config's effective values: the neutral keys, `settings.<plugin>`, and `switches.<plugin>`, whether a
   * plugin may take part. Secrets are not in it.
   */
  readonly data: JsonObject
  readonly sections: readonly Section[]
  /** JSON pointers: when a value there, above or below changes, the document is to be asked for again. */
  readonly recomputeOn: readonly string[]
  readonly dynamic: readonly DynamicChoices[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface SettingsInput {
  /** All that are registered. */
  readonly plugins: readonly AnyPlugin[]
  readonly enabled: EnabledPlugins
  readonly resolution: Resolution
  /** The config as it may be shown: every secret is `{"$secret": true}`. */
  readonly masked: Config
  /** Of what resolution and form hooks read. */
  readonly recording: Recording
  /** By plugin, what its `getUiElements` came to. */
  readonly elements: ReadonlyMap<string, Elements>
  readonly descriptions: Descriptions
  readonly locale: string
  readonly diagnostics: readonly Diagnostic[]
  readonly dynamic: readonly DynamicChoices[]
}

/** What decides which plugins there are, beside what they read themselves. */
const ALWAYS = [
  '/provider',
  '/model',
  '/enabled_plugins',
  '/disabled_plugins',
  '/force_enabled_plugins',
  '/switches',
]

export async function settingsDocument(input: SettingsInput): Promise<SettingsDocument> {
  const { enabled, recording, resolution } = input
  const words = wordsFor(input.locale)
  const valueAt = readerOf(recording.view(input.masked))
  const titles = new Map(
    input.plugins.map((plugin) => [plugin, titleOf(plugin, input.descriptions, input.locale)]),
  )
  const host = await hostPart({ ...input, words, valueAt, titles })
  const on = [enabled.provider, ...enabled.extensions, ...enabled.features, ...enabled.tools]
  const parts = await Promise.all(
    on.map((plugin) => pluginPart(plugin, { ...input, words, valueAt, titles })),
  )
  const settings = parts.map(({ plugin, fields }) => [plugin.name, fields.schema] as const)
  const values = parts.map(({ plugin, form }) => [plugin.name, form.data] as const)
  const { properties } = host.fields.schema as { readonly properties: JsonObject }
  const settingsSchema = { type: 'object', properties: Object.fromEntries(settings) }
  const secrets = [host, ...parts].flatMap(({ form }) => form.secrets)
  for (const pointer of [...ALWAYS, ...secrets]) recording.add(pointer)
  const around = {
    ...input,
    words,
    titles,
    parts: new Map(parts.map((part, at) => [part.plugin, { ...part, at: at + 1 }])),
    trace: new Map(resolution.trace.map((entry) => [entry.plugin, entry])),
  }
  return {
    schema: { type: 'object', properties: { ...properties, settings: settingsSchema } },
    uischema: {
      type: 'Categorization',
      elements: distinct([host.category, ...parts.map(({ category }) => category)]),
    },
    data: { ...host.form.data, settings: Object.fromEntries(values) },
    sections: [host.section, ...input.plugins.map((plugin) => sectionOf(plugin, around))],
    recomputeOn: recording.pointers,
    dynamic: input.dynamic,
    diagnostics: [
      ...resolution.diagnostics,
      ...input.diagnostics,
      ...[host, ...parts].flatMap(({ diagnostics }) => diagnostics),
    ],
  }
}

/** Renderers tell categories by their labels: of several with one label, each has its plugin's name too. */
function distinct(categories: readonly Category[]): readonly Category[] {
  const count = new Map<string, number>()
  for (const { label } of categories) count.set(label, (count.get(label) ?? 0) + 1)
  return categories.map((category) => {
    const { label, options } = category
    const isShared = options !== undefined && (count.get(label) ?? 0) > 1
    return isShared ? { ...category, label: `${label} (${options.plugin})` } : category
  })
}

function readerOf(view: JsonObject): ValueAt {
  return (path) =>
    path.reduce<unknown>((at, key) => (isObject(at) && key in at ? at[key] : undefined), view)
}

interface Part {
  readonly fields: Fields
  readonly form: FormData
  readonly category: Category
  readonly diagnostics: readonly Diagnostic[]
}

interface HostPart extends Part {
  readonly section: Section
}

interface PluginPart extends Part {
  readonly plugin: AnyPlugin
}

interface Around extends SettingsInput {
  readonly words: Words
  readonly titles: ReadonlyMap<AnyPlugin, string>
  readonly valueAt: ValueAt
}

const madeForHost = new WeakMap<JsonObject, MadeFields>()
const NOTHING_LEFT: ReadonlyMap<string, never> = new Map<string, never>()

async function hostPart(around: Around & HostFieldsInput): Promise<HostPart> {
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
  const section: Section = {
    kind: 'host',
    title: words.host,
    on: true,
    schema: '/properties',
    category: '/elements/0',
    secretsSet: form.secretsSet,
    unshown: unshownIn(fields, words),
    actions: [],
  }
  return { fields, form, category, section, diagnostics: refusals(form) }
}

const NO_FIELDS: Fields = { schema: { type: 'object' }, elements: [], unshown: [] }

async function pluginPart(plugin: AnyPlugin, around: Around): Promise<PluginPart> {
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
): Promise<{ readonly fields: Fields; readonly fault?: Diagnostic }> {
  const own = elements.get(plugin.name) ?? NO_ELEMENTS
  try {
    return { fields: await pluginFields({ plugin, elements: own, locale, valueAt }) }
  } catch (error) {
    return { fields: NO_FIELDS, fault: fieldsFault(plugin, error) }
  }
}

/** A value that does not fit is not in the data; the config keeps it. */
function refusals({ refused }: FormData, plugin?: AnyPlugin): readonly Diagnostic[] {
  return refused.map(({ pointer, message }) => ({
    code: 'SETTINGS_INVALID',
    level: 'error',
    pointer,
    message: `The value at ${pointer} is not shown: ${message}.`,
    ...(plugin ? { plugin: plugin.name } : {}),
  }))
}

interface Sections extends SettingsInput {
  readonly titles: ReadonlyMap<AnyPlugin, string>
  /** With the number of each one's category. */
  readonly parts: ReadonlyMap<AnyPlugin, PluginPart & { readonly at: number }>
  readonly trace: ReadonlyMap<string, TraceEntry>
  readonly words: Words
}

function sectionOf(plugin: AnyPlugin, input: Sections): Section {
  const { parts, words, trace, titles, elements, descriptions } = input
  const { description } = descriptions.get(plugin.name) ?? {}
  const part = parts.get(plugin)
  const {
    rule = 'other provider',
    round = 0,
    missing = [],
    forbidden = [],
  } = trace.get(plugin.name) ?? {}
  return {
    plugin: plugin.name,
    kind: plugin.kind,
    title: titles.get(plugin) ?? plugin.name,
    ...(description === undefined ? {} : { description }),
    on: part !== undefined,
    why: words.rules[rule],
    rule,
    round,
    missing,
    forbidden,
    ...(part
      ? {
          schema: `/properties/settings/properties${pointerOf([plugin.name])}`,
          category: `/elements/${part.at}`,
        }
      : {}),
    secretsSet: part?.form.secretsSet ?? [],
    unshown: part ? unshownIn(part.fields, words) : [],
    actions: part ? (elements.get(plugin.name)?.actions ?? []) : [],
  }
}

function unshownIn({ unshown }: Fields, words: Words): Section['unshown'] {
  return unshown.map(({ pointer, reason }) => ({ pointer, reason: words.unshown[reason] }))
}
