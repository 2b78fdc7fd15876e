import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { type FieldKind, kindOf } from '../kinds.ts'
import type { Control, Element } from '../layout.ts'
import { pathOf } from '../scope.ts'
import type { SettingsDocument } from '../settings-document.ts'

/** A field, for forms that are a flat list of fields. */
export interface ShownField {
  /** The plugin that it belongs to. Absent for the host's own fields. */
  readonly plugin?: string
  /** The keys of its value in the document's data. */
  readonly path: readonly string[]
  readonly kind: FieldKind
  readonly schema: JsonObject
  /** The titles of its plugin, of the groups around it, and its own. */
  readonly titles: readonly string[]
  readonly isRequired: boolean
  /** The current value. */
  readonly value: unknown
  readonly control: Control
}

/** A setting for which a view has no field: a JSON pointer into the form's data, and the reason. */
export interface LeftOut {
  readonly pointer: string
  readonly reason: string
}

/** The fields of a document in order, either all or those of one plugin. */
export function shownFields(document: SettingsDocument, plugin?: string): readonly ShownField[] {
  return document.uischema.elements.flatMap(({ label, elements, options }) => {
    if (plugin !== undefined && options?.plugin !== plugin) return []
    const owner = options ? { plugin: options.plugin } : {}
    const groups = options && plugin === undefined ? [label] : []
    return controlsIn(elements, groups).map((found) => ({ ...owner, ...toField(document, found) }))
  })
}

/** The reason why a view has no field for a setting. */
export interface Unfit {
  readonly unfit: string
}

/** The converted fields, and those that a view cannot show. */
export interface Fitting<T> {
  readonly fit: readonly { readonly field: ShownField; readonly made: T }[]
  readonly left: readonly LeftOut[]
}

export function fitting<T extends object>(
  fields: readonly ShownField[],
  make: (field: ShownField) => T | Unfit,
): Fitting<T> {
  const fit: { field: ShownField; made: T }[] = []
  const left: LeftOut[] = []
  for (const field of fields) {
    const made = make(field)
    if (isUnfit(made)) left.push({ pointer: pointerOf(field.path), reason: made.unfit })
    else fit.push({ field, made })
  }
  return { fit, left }
}

function isUnfit(made: object): made is Unfit {
  return 'unfit' in made
}

interface Found {
  readonly control: Control
  readonly groups: readonly string[]
}

function controlsIn(elements: readonly Element[], groups: readonly string[]): readonly Found[] {
  return elements.flatMap((element) => {
    if (element.type === 'Control') return [{ control: element, groups }]
    return element.type === 'Group' ? controlsIn(element.elements, [...groups, element.label]) : []
  })
}

function toField({ schema: form, data }: SettingsDocument, { control, groups }: Found) {
  const path = pathOf(control.scope)
  const schema = schemaAt(form, path)
  const { required } = schemaAt(form, path.slice(0, -1))
  const { title = control.label } = schema
  return {
    path,
    kind: kindOf(schema),
    schema,
    titles: [...groups, String(title)],
    isRequired: Array.isArray(required) && required.includes(path.at(-1)),
    value: valueAt(data, path),
    control,
  }
}

/** The schema of the object at a path. */
export function schemaAt(schema: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce((at, key) => (at['properties'] as JsonObject)[key] as JsonObject, schema)
}

/** Copies the given keywords of a schema. Leaves out those that the schema does not have. */
export function picked(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => key in schema).map((key) => [key, schema[key]]))
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    data,
  )
}
