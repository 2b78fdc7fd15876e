import type { SettingsDocument } from '@braidwork/core'
import {
  type Control,
  type Element,
  type Kind,
  kindOf,
  pathOf,
  type Rule,
  sentence,
  validatorOf,
} from '@braidwork/core/internal'
import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'

/** One value that a person may set. */
export interface Field {
  readonly type: 'field'
  /** Keys from the top of the document's data. */
  readonly path: readonly string[]
  readonly pointer: string
  readonly label: string
  readonly schema: JsonObject
  readonly kind: Kind
  readonly isSecret: boolean
  readonly isReadOnly: boolean
  readonly isRequired: boolean
  /** Written in several lines. */
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

/** What a category of the layout shows now: what a rule hides is not in it. */
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

/** The fields of items, those of groups among them. */
export function fieldsIn(items: readonly Item[]): readonly Field[] {
  return items.flatMap((item) =>
    item.type === 'field' ? [item] : item.type === 'group' ? fieldsIn(item.items) : [],
  )
}

/** A form of its own for a schema of an object, as an action has one. */
export function fieldsOfSchema(schema: JsonObject): readonly Field[] {
  const { properties } = schema
  if (!isObject(properties)) return []
  const scopes = Object.keys(properties).map((name) => `#/properties${pointerOf([name])}`)
  const fields = scopes.map((scope) => fieldOf(schema, { type: 'Control', scope }))
  return fields.filter(({ kind }) => !['object', 'map', 'list', 'union', 'any'].includes(kind))
}

/** The value at keys. */
export function valueIn(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    data,
  )
}

function fieldOf(root: JsonObject, control: Control): Field {
  const { scope, label, options = {} } = control
  const path = pathOf(scope)
  const { schema, isRequired } = schemaAt(root, path)
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

/** The schema of the value at keys, and whether it has to be there. */
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

/** Every rule says when its element is shown. */
async function isShown(rule: Rule | undefined, data: JsonObject): Promise<boolean> {
  if (!rule) return true
  const { schema, scope } = rule.condition
  const validate = await validatorOf(schema)
  return validate(valueIn(data, pathOf(scope))) === undefined
}
