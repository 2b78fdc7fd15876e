import type { JsonObject } from '@braidwork/plugin'
import { choicesOf, withNumberChoices } from '../choices.ts'
import type { SettingsDocument } from '../settings-document.ts'
import { type Flat, flat } from './flat.ts'
import { fitting, type LeftOut, type ShownField, shownFields, type Unfit } from './shown-fields.ts'

/** The settings part of a VS Code extension's package.json. */
export interface VsCodeView extends Flat {
  readonly contributes: { readonly configuration: readonly VsCodeSection[] }
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: 'limited'
      /** Settings whose values in a workspace's settings.json are ignored until the workspace is trusted. */
      readonly restrictedConfigurations: readonly string[]
    }
  }
  /** The default values. */
  readonly values: JsonObject
  readonly left: readonly LeftOut[]
}

export interface VsCodeSection {
  readonly id: string
  readonly title: string
  readonly order: number
  readonly properties: { readonly [id: string]: JsonObject }
}

/** Converts to sections, one for the host and one for each plugin. A setting without a default is `null`. */
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

function toSetting({ plugin, titles, control, ...field }: ShownField): JsonObject | Unfit {
  const { format, readonly, multi } = control.options ?? {}
  // settings.json is plain text, and may be synchronized between machines.
  if (format) return { unfit: 'a secret, and settings.json must not contain secrets' }
  if (readonly) return { unfit: 'it cannot be changed' }
  const schema = withNumberChoices(field.schema)
  const { title: _, description, ...rest } = schema
  const name = (plugin === undefined ? titles : titles.slice(1)).join(': ')
  return {
    ...withChoices(rest),
    ...('default' in schema ? {} : withoutDefault(field.kind, schema)),
    markdownDescription: escaped(
      typeof description === 'string' ? `${name}. ${description}` : name,
    ),
    scope: 'window',
    ...(multi ? { editPresentation: 'multilineText' } : {}),
  }
}

/** Converts choices to `enum` with labels, because VS Code has no titles for fixed values. */
function withChoices(schema: JsonObject): JsonObject {
  const choices = choicesOf(schema)
  if (!choices?.some(({ title }) => title !== undefined)) return schema
  const { oneOf: _, anyOf: __, ...rest } = schema
  const labels = choices.map(({ value, title = String(value) }) => title)
  return { ...rest, enum: choices.map(({ value }) => value), enumItemLabels: labels }
}

/** An explicit empty default. Otherwise the editor would choose its own: 0, false, or the first choice. */
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

/** Escapes characters that VS Code would show as Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#!|~]/g, '\\$&')
}
