import { pointerOf } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { TraceEntry } from '../resolve/index.ts'
import type { Action } from './elements.ts'
import type { FormFields } from './fields.ts'
import type { Part, PluginPart } from './parts.ts'
import type { SettingsInput } from './settings-input.ts'
import { descriptionOf } from './titles.ts'
import type { Words } from './words.ts'

/** The settings of one plugin, or of the host. */
export interface Section {
  /** Absent for the host's own settings. */
  readonly plugin?: string
  readonly kind: 'host' | AnyPlugin['kind']
  readonly title: string
  /** The description in the plugin's manifest. */
  readonly description?: string
  readonly on: boolean
  /** The reason in the form's language. `rule`, `round`, `missing` and `forbidden` come from the resolution's trace. */
  readonly why?: string
  readonly rule?: TraceEntry['rule']
  readonly round?: number
  readonly missing?: readonly string[]
  readonly forbidden?: readonly string[]
  /** JSON pointers into `schema` and into `uischema`. Absent if the plugin is off. */
  readonly schema?: string
  readonly category?: string
  /** The plugin's secrets that have a value, as JSON pointers into the config. */
  readonly secretsSet: readonly string[]
  /** The plugin's settings that have no field, as JSON pointers into the config. `reason` is in the form's language. */
  readonly unshown: readonly { readonly pointer: string; readonly reason: string }[]
  /** Actions that a person can start: `host.runAction(action.plugin, action.id, input, config)`. */
  readonly actions: readonly Action[]
}

/** The input for sections, in addition to their plugins. */
export interface SectionsInput extends SettingsInput {
  readonly titles: ReadonlyMap<AnyPlugin, string>
  /** The fields of each plugin, and the index of its category. */
  readonly parts: ReadonlyMap<AnyPlugin, PluginPart & { readonly at: number }>
  readonly trace: ReadonlyMap<string, TraceEntry>
  readonly words: Words
}

/** The section of the host's own settings. */
export function hostSection({ fields, form }: Part, words: Words): Section {
  return {
    kind: 'host',
    title: words.host,
    on: true,
    schema: '/properties',
    category: '/elements/0',
    secretsSet: form.secretsSet,
    unshown: unshownIn(fields, words),
    actions: [],
  }
}

/** The section of a plugin, on or off. */
export function sectionOf(plugin: AnyPlugin, input: SectionsInput): Section {
  const { parts, words, trace, titles, elements, descriptions } = input
  const description = descriptionOf(plugin, descriptions, input.locale)
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

function unshownIn({ unshown }: FormFields, words: Words): Section['unshown'] {
  return unshown.map(({ pointer, reason }) => ({ pointer, reason: words.unshown[reason] }))
}
