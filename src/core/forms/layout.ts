import type { JsonObject } from '@braidwork/plugin'
import { kindOf } from './kinds.ts'
import { scopeOf } from './scope.ts'

/** When an element is shown, as JSON Forms says it. https://jsonforms.io/docs/uischema/rules */
export interface Rule {
  readonly effect: 'SHOW'
  readonly condition: { readonly scope: string; readonly schema: JsonObject }
}

/** An element of a layout of JSON Forms. https://jsonforms.io/docs/uischema */
export type Element = Control | Group | Label

export interface Control {
  readonly type: 'Control'
  /** Where its value stands: a JSON pointer into the schema, as a fragment. */
  readonly scope: string
  readonly label?: string
  readonly options?: {
    readonly format?: 'password'
    readonly multi?: true
    readonly readonly?: true
  }
  readonly rule?: Rule
}

export interface Group {
  readonly type: 'Group'
  readonly label: string
  readonly elements: readonly Element[]
  readonly rule?: Rule
}

export interface Label {
  readonly type: 'Label'
  readonly text: string
}

export interface Category {
  readonly type: 'Category'
  readonly label: string
  readonly elements: readonly Element[]
  /** The plugin whose settings it has; none for the host's own. */
  readonly options?: { readonly plugin: string }
}

export interface Categorization {
  readonly type: 'Categorization'
  readonly elements: readonly Category[]
}

/** A text of more characters is written in several lines. */
const LONG_TEXT = 200

export function controlFor(schema: JsonObject, path: readonly string[], rule?: Rule): Control {
  const isSecret = schema['writeOnly'] === true
  const options = {
    ...(isSecret ? { format: 'password' as const } : {}),
    // Several lines would be shown as they are typed.
    ...(isLongText(schema) && !isSecret ? { multi: true as const } : {}),
    ...(schema['readOnly'] === true ? { readonly: true as const } : {}),
  }
  return {
    type: 'Control',
    scope: scopeOf(path),
    ...(typeof schema['title'] === 'string' ? {} : { label: sentence(path.at(-1) ?? '') }),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(rule ? { rule } : {}),
  }
}

export function groupFor({
  schema,
  path,
  elements,
  rule,
}: {
  readonly schema: JsonObject
  readonly path: readonly string[]
  readonly elements: readonly Element[]
  readonly rule: Rule | undefined
}): Group {
  const { title } = schema
  const label = typeof title === 'string' ? title : sentence(path.at(-1) ?? '')
  return { type: 'Group', label, elements, ...(rule ? { rule } : {}) }
}

/** One that says that it is a text, or that may be long. */
function isLongText(schema: JsonObject): boolean {
  const { maxLength, contentMediaType } = schema
  if (kindOf(schema) !== 'text') return false
  const isDocument = typeof contentMediaType === 'string' && contentMediaType.startsWith('text/')
  return isDocument || (typeof maxLength === 'number' && maxLength > LONG_TEXT)
}

/** A name as the head of a field: `max_output_tokens` is "Max output tokens". */
export function sentence(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
