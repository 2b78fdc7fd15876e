import type { SettingsDocument } from '@braidwork/core'
import {
  type Control,
  type Element,
  type FieldKind,
  kindOf,
  type LayoutRule,
  pathOf,
  sentence,
  validatorOf,
  withNumberChoices,
} from '@braidwork/core/internal'
import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'

/** One value that a person can set. */
export interface Field {
  readonly type: 'field'
  /** The keys that lead from the root of the document's data to the value. */
  readonly path: readonly string[]
  readonly pointer: string
  readonly label: string
  readonly schema: JsonObject
  readonly kind: FieldKind
  readonly isSecret: boolean
  readonly isReadOnly: boolean
  readonly isRequired: boolean
  /** True for text of several lines. */
  readonly isLong: boolean
}

export interface FieldGroup {
  readonly type: 'group'
  readonly label: string
  readonly items: readonly Item[]
}

export interface Note {
  readonly type: 'note'
  readonly label: string
}

export type Item = Field | FieldGroup | Note

/** The items of a layout category that are shown now: items that a rule hides are left out. */
export async function itemsOf(
  { schema, data }: Pick<SettingsDocument, 'schema' | 'data'>,
  elements: readonly Element[],
): Promise<readonly Item[]> {
  const items = await Promise.all(
    elements.map(async (element): Promise<readonly Item[]> => {
      const rule = 'rule' in element ? element.rule : undefined
      if (!(await isShown(rule, data))) return []
      if (element.type === 'Label') return [{ type: 'note', label: element.text }]
      const { type } = element
      if (type === 'Control') return [fieldOf(schema, element)]
      const inner = await itemsOf({ schema, data }, element.elements)
      return inner.length > 0 ? [{ type: 'group', label: element.label, items: inner }] : []
    }),
  )
  return items.flat()
}

/** The fields among the items, those inside groups included. */
export function fieldsIn(items: readonly Item[]): readonly Field[] {
  return items.flatMap((item) =>
    item.type === 'field' ? [item] : item.type === 'group' ? fieldsIn(item.items) : [],
  )
}

/** The fields of an object schema outside the document, such as an action's input. */
export function fieldsOfSchema(schema: JsonObject): readonly Field[] {
  const { properties } = schema
  if (!isObject(properties)) return []
  const scopes = Object.keys(properties).map((name) => `#/properties${pointerOf([name])}`)
  const fields = scopes.map((scope) => fieldOf(schema, { type: 'Control', scope }))
  return fields.filter(({ kind }) => !['object', 'map', 'list', 'union', 'any'].includes(kind))
}

/** The value at a path of keys. */
export function valueIn(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    data,
  )
}

function fieldOf(root: JsonObject, control: Control): Field {
  const { scope, label, options = {} } = control
  const path = pathOf(scope)
  const { schema: given, isRequired } = schemaAt(root, path)
  const schema = withNumberChoices(given)
  const { title } = schema
  return {
    type: 'field',
    path,
    pointer: pointerOf(path),
    label: label ?? (typeof title === 'string' ? title : sentence(path.at(-1) ?? '')),
    schema,
    kind: kindOf(schema),
    isSecret: options.format === 'password' || schema['writeOnly'] === true,
    isReadOnly: options.readonly === true,
    isRequired,
    isLong: options.multi === true,
  }
}

/** The schema of the value at a path of keys, and whether the value is required. */
export function schemaAt(root: JsonObject, path: readonly string[]) {
  return path.reduce<{ readonly schema: JsonObject; readonly isRequired: boolean }>(
    ({ schema }, key) => {
      const { properties, required } = schema
      const inner = isObject(properties) ? properties[key] : undefined
      return {
        schema: isObject(inner) ? inner : {},
        isRequired: Array.isArray(required) && required.includes(key),
      }
    },
    { schema: root, isRequired: false },
  )
}

/** Evaluates a visibility rule. All rules have the effect SHOW, so a true condition means shown. */
async function isShown(rule: LayoutRule | undefined, data: JsonObject): Promise<boolean> {
  if (!rule) return true
  const { schema, scope } = rule.condition
  const validate = await validatorOf(schema)
  return validate(valueIn(data, pathOf(scope))) === undefined
}
