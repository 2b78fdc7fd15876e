import type { JsonObject } from '@braidwork/plugin'
import { type Choice, choicesOf } from '../choices.ts'
import type { SettingsDocument } from '../settings-document.ts'
import { type Flat, flat, namesOf } from './flat.ts'
import {
  fitting,
  type LeftOut,
  picked,
  type ShownField,
  shownFields,
  type Unfit,
} from './shown-fields.ts'

/** The parameters of an MCP elicitation in form mode, except for its `message`. */
export interface McpView extends Flat {
  readonly requestedSchema: {
    readonly type: 'object'
    readonly properties: { readonly [name: string]: JsonObject }
    readonly required?: readonly string[]
  }
  readonly left: readonly LeftOut[]
}

/** Converts to a form with plain values. Each field starts with its current value. */
export function mcpView(document: SettingsDocument, plugin?: string): McpView {
  const { fit, left } = fitting(shownFields(document, plugin), toField)
  const names = namesOf(fit.map(({ field }) => field))
  const named = fit.map(({ field, made }, at) => {
    const title = field.titles.join(': ')
    return { field, name: names[at] ?? '', value: field.value, made: { title, ...made } }
  })
  const required = named.filter(({ field }) => field.isRequired).map(({ name }) => name)
  const properties = Object.fromEntries(named.map(({ name, made }) => [name, made]))
  return {
    requestedSchema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
    },
    ...flat(named),
    left,
  }
}

/** https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema */
function toField({ kind, schema, value, control }: ShownField): JsonObject | Unfit {
  // The MCP specification forbids servers to ask for sensitive data in form mode.
  if (control.options?.format)
    return { unfit: 'a secret, and elicitations must not ask for secrets' }
  if (control.options?.readonly) return { unfit: 'it cannot be changed' }
  const { description } = schema
  const shared = {
    ...(typeof description === 'string' ? { description } : {}),
    ...(value === undefined ? {} : { default: value }),
  }
  const own = ownKeywords(kind, schema)
  return own ? { ...own, ...shared } : { unfit: 'its values are not plain values' }
}

function ownKeywords(kind: ShownField['kind'], schema: JsonObject): JsonObject | undefined {
  switch (kind) {
    case 'choice':
      return choiceField(choicesOf(schema))
    case 'choices':
      return {
        type: 'array',
        ...picked(schema, ['minItems', 'maxItems']),
        items: choiceItems(choicesOf(schema['items'] as JsonObject)),
      }
    case 'text':
      return { type: 'string', ...picked(schema, ['minLength', 'maxLength']), ...formatOf(schema) }
    case 'number':
      return { type: schema['type'], ...picked(schema, ['minimum', 'maximum']) }
    case 'switch':
      return { type: 'boolean' }
    default:
      return undefined
  }
}

const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time']

function formatOf({ format }: JsonObject): JsonObject {
  return FORMATS.includes(format) ? { format } : {}
}

function choiceField(choices: readonly Choice[] = []): JsonObject {
  const titled = titledOf(choices)
  return { type: 'string', ...(titled ? { oneOf: titled } : { enum: valuesOf(choices) }) }
}

function choiceItems(choices: readonly Choice[] = []): JsonObject {
  const titled = titledOf(choices)
  return titled ? { anyOf: titled } : { type: 'string', enum: valuesOf(choices) }
}

function valuesOf(choices: readonly Choice[]): readonly unknown[] {
  return choices.map(({ value }) => value)
}

function titledOf(choices: readonly Choice[]): readonly JsonObject[] | undefined {
  if (!choices.some(({ title }) => title !== undefined)) return undefined
  return choices.map(({ value, title = value }) => ({ const: value, title }))
}
