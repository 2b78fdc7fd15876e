import type { JsonObject } from '@braidwork/plugin'
import { kindOf } from './kinds.ts'
import { scopeOf } from './scope.ts'

/** A condition under which an element is shown, in JSON Forms' format. https://jsonforms.io/docs/uischema/rules */
export interface LayoutRule {
  readonly effect: 'SHOW'
  readonly condition: { readonly scope: string; readonly schema: JsonObject }
}

/** An element of a layout in JSON Forms' format. https://jsonforms.io/docs/uischema */
export type Element = Control | Group | Label

export interface Control {
  readonly type: 'Control'
  /** The place of its value: a JSON pointer into the schema, as a URI fragment. */
  readonly scope: string
  readonly label?: string
  readonly options?: {
    readonly format?: 'password'
    readonly multi?: true
    readonly readonly?: true
  }
  readonly rule?: LayoutRule
}

export interface Group {
  readonly type: 'Group'
  readonly label: string
  readonly elements: readonly Element[]
  readonly rule?: LayoutRule
}

export interface Label {
  readonly type: 'Label'
  readonly text: string
}

export interface Category {
  readonly type: 'Category'
  readonly label: string
  readonly elements: readonly Element[]
  /** The plugin that the settings belong to. Absent for the host's own settings. */
  readonly options?: { readonly plugin: string }
}

export interface Categorization {
  readonly type: 'Categorization'
  readonly elements: readonly Category[]
}

/** A text that may have more characters than this gets a multi-line field. */
const LONG_TEXT = 200

export function controlFor(
  schema: JsonObject,
  path: readonly string[],
  rule?: LayoutRule,
): Control {
  const isSecret = schema['writeOnly'] === true
  const options = {
    ...(isSecret ? { format: 'password' as const } : {}),
    // Only for texts that are not secrets, because a multi-line field would show the input.
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
  readonly rule: LayoutRule | undefined
}): Group {
  const { title } = schema
  const label = typeof title === 'string' ? title : sentence(path.at(-1) ?? '')
  return { type: 'Group', label, elements, ...(rule ? { rule } : {}) }
}

/** Whether a text needs a field of several lines, because of its maximum length or its `contentMediaType`. */
function isLongText(schema: JsonObject): boolean {
  const { maxLength, contentMediaType } = schema
  if (kindOf(schema) !== 'text') return false
  const isDocument = typeof contentMediaType === 'string' && contentMediaType.startsWith('text/')
  return isDocument || (typeof maxLength === 'number' && maxLength > LONG_TEXT)
}

/** Words that are written in capitals. */
const ACRONYMS = new Set(
  'ai api csv html http https id ip json llm mcp pdf sql ui uri url xml'.split(' '),
)

/** Turns a name into a label: `max_output_tokens` becomes "Max output tokens", and `baseUrl` "Base URL". */
export function sentence(name: string): string {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[-_]+/g, ' ')
  const words = spaced.trim().split(' ').map(inSentence).join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function inSentence(word: string): string {
  const lower = word.toLowerCase()
  if (ACRONYMS.has(lower)) return lower.toUpperCase()
  const singular = lower.replace(/s$/, '')
  if (ACRONYMS.has(singular)) return `${singular.toUpperCase()}s`
  return /^[A-Z][a-z]+$/.test(word) ? lower : word
}
