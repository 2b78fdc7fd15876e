import { type Diagnostic, isObject, type JsonObject } from '@braidwork/plugin'
import type { ValueAt } from './fields.ts'
import type { Categorization, Category } from './layout.ts'
import { hostPart, pluginPart } from './parts.ts'
import { hostSection, type Section, sectionOf } from './sections.ts'
import type { DynamicChoices, SettingsInput } from './settings-input.ts'
import { titleOf } from './titles.ts'
import { wordsFor } from './words.ts'

/** The settings for a config, in a form that any renderer can show. Plain JSON. */
export interface SettingsDocument {
  /** JSON Schema of `data`, valid as draft-07 and as 2020-12. */
  readonly schema: JsonObject
  /** The layout in JSON Forms' format: a category for the host, then one for each enabled plugin. */
  readonly uischema: Categorization
  /**
   * The effective values of the config: common keys, `settings.<plugin>`, and `switches.<plugin>`, which says whether a
   * plugin may take part. Secrets are left out.
   */
  readonly data: JsonObject
  readonly sections: readonly Section[]
  /** JSON pointers. When a value at, above or below one of them changes, request the document again. */
  readonly recomputeOn: readonly string[]
  readonly dynamic: readonly DynamicChoices[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Keys that decide which plugins take part, in addition to those that plugins read. */
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
  const settings = parts.map(({ plugin, form }) => [plugin.name, form.schema] as const)
  const values = parts.map(({ plugin, form }) => [plugin.name, form.data] as const)
  const { properties } = host.form.schema as { readonly properties: JsonObject }
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
    sections: [
      hostSection(host, words),
      ...input.plugins.map((plugin) => sectionOf(plugin, around)),
    ],
    recomputeOn: recording.pointers,
    dynamic: input.dynamic,
    diagnostics: [
      ...resolution.diagnostics,
      ...input.diagnostics,
      ...[host, ...parts].flatMap(({ diagnostics }) => diagnostics),
    ],
  }
}

/** Makes labels unique by adding plugin names, because renderers identify categories by their labels. */
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
