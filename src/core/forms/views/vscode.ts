import type { JsonObject } from '@braidwork/plugin'
import { choicesOf } from '../choices.ts'
import type { SettingsDocument } from '../settings-document.ts'
import { type Flat, flat } from './flat.ts'
import { fitting, type LeftOut, type ShownField, shownFields, type Unfit } from './shown-fields.ts'

/** What an extension's package.json has for its settings in VS Code. */
export interface VsCodeView extends Flat {
  readonly contributes: { readonly configuration: readonly VsCodeSection[] }
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: 'limited'
      /** Until a workspace is trusted, what its own settings.json says of these does not count. */
      readonly restrictedConfigurations: readonly string[]
    }
  }
  /** The defaults. */
  readonly values: JsonObject
  readonly left: readonly LeftOut[]
}

export interface VsCodeSection {
  readonly id: string
  readonly title: string
  readonly order: number
  readonly properties: { readonly [id: string]: JsonObject }
}

/** A section a plugin, the host's own first; a setting that has no default is `null`. */
export function vsCodeView(document: SettingsDocument): VsCodeView {
  const { fit, left } = fitting(shownFields(document), toSetting)
  const named = fit.map(({ field, made }, at) => {
    const name = ['braidwork', ...field.path].join('.')
    const value: unknown = made['default']
    return { field, name, value, made: { ...made, order: at + 1 } }
  })
  const configuration = document.uischema.elements.map(({ label, options }, at) => {
    const own = named.filter(({ field }) => field.plugin === options?.plugin)
    return {
      id: options ? `braidwork.settings.${options.plugin}` : 'braidwork',
      title: label,
      order: at + 1,
      properties: Object.fromEntries(own.map(({ name, made }) => [name, made])),
    }
  })
  return {
    contributes: {
      configuration: configuration.filter(({ properties }) => Object.keys(properties).length > 0),
    },
    capabilities: {
      untrustedWorkspaces: {
        supported: 'limited',
        restrictedConfigurations: named.map(({ name }) => name),
      },
    },
    ...flat(named),
    left,
  }
}

function toSetting({ kind, schema, plugin, titles, control }: ShownField): JsonObject | Unfit {
  const { format, readonly, multi } = control.options ?? {}
  // settings.json is plain text, and may be synchronised.
  if (format) return { unfit: 'a secret, which no settings.json may have' }
  if (readonly) return { unfit: 'it cannot be changed' }
  const { title: _, description, ...rest } = schema
  const name = (plugin === undefined ? titles : titles.slice(1)).join(': ')
  return {
    ...withChoices(rest),
    ...('default' in schema ? {} : withoutDefault(kind, schema)),
    markdownDescription: escaped(
      typeof description === 'string' ? `${name}. ${description}` : name,
    ),
    scope: 'window',
    ...(multi ? { editPresentation: 'multilineText' } : {}),
  }
}

/** It knows no titles of fixed values but labels of an `enum`. */
function withChoices(schema: JsonObject): JsonObject {
  const choices = choicesOf(schema)
  if (!choices?.some(({ title }) => title !== undefined)) return schema
  const { oneOf: _, anyOf: __, ...rest } = schema
  const labels = choices.map(({ value, title = String(value) }) => title)
  return { ...rest, enum: choices.map(({ value }) => value), enumItemLabels: labels }
}

/** Without a default of ours the editor takes one of its own: 0, false, or the first choice. */
function withoutDefault(kind: ShownField['kind'], schema: JsonObject): JsonObject {
  if (kind === 'text') return { default: '', minLength: 0 }
  if (schema['type'] === 'array') return { default: [], minItems: 0 }
  const { type } = schema
  const values = kind === 'switch' ? [true, false] : choicesOf(schema)?.map(({ value }) => value)
  return {
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
    default: null,
  }
}

/** What would be Markdown in a plugin's words is not. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#!|~]/g, '\\$&')
}
