import type { JsonObject } from '@braidwork/plugin'
import { withNumberChoices } from '../choices.ts'
import { conditionalSchema } from '../conditional-schema.ts'
import { kindOf } from '../kinds.ts'
import type { Category, Control, Element, Group } from '../layout.ts'
import { pathOf } from '../scope.ts'
import type { SettingsDocument } from '../settings-document.ts'
import { schemaAt } from './shown-fields.ts'

/** The props of a react-jsonschema-form form, except for its validator. */
export interface RjsfView {
  readonly schema: JsonObject
  readonly uiSchema: JsonObject
  readonly formData: JsonObject
  /** The data contains the defaults already, so a field that a person empties must stay empty. */
  readonly experimental_defaultFormStateBehavior: { readonly emptyObjectFields: 'skipDefaults' }
}

/**
 * Converts to react-jsonschema-form, which derives the layout from the schema. Settings without a field are not in its
 * schema, and rules are `if` and `then` in it. The values of settings without a field stay in the data.
 */
export function rjsfView({ schema, uischema, data }: SettingsDocument): RjsfView {
  const [host, ...plugins] = uischema.elements
  const top = objectOf(schema, host?.elements ?? [], 0)
  const settings = plugins.map(
    (category) => [nameOf(category), categoryOf(schema, category)] as const,
  )
  const schemas = settings.map(([name, part]) => [name, part.schema] as const)
  const uiSchemas = settings.map(([name, part]) => [name, part.uiSchema] as const)
  const properties = {
    ...(top.schema['properties'] as JsonObject),
    settings: { type: 'object', properties: Object.fromEntries(schemas) },
  }
  return {
    schema: { ...top.schema, properties },
    uiSchema: {
      ...top.uiSchema,
      settings: { 'ui:options': { label: false }, ...Object.fromEntries(uiSchemas) },
    },
    formData: data,
    experimental_defaultFormStateBehavior: { emptyObjectFields: 'skipDefaults' },
  }
}

interface Part {
  readonly schema: JsonObject
  readonly uiSchema: JsonObject
}

function nameOf({ options }: Category): string {
  return options?.plugin ?? ''
}

function categoryOf(schema: JsonObject, category: Category): Part {
  const { label, elements } = category
  const note = elements.find((element) => element.type === 'Label')
  const shown = elements.filter((element) => element.type !== 'Label')
  const part = objectOf(schemaAt(schema, ['settings', nameOf(category)]), shown, 2)
  const words = { 'ui:title': label, ...(note ? { 'ui:description': note.text } : {}) }
  return { ...part, uiSchema: { ...part.uiSchema, ...words } }
}

/** The fields of an object. `depth` is the number of keys that lead to it. */
function objectOf(schema: JsonObject, elements: readonly Element[], depth: number): Part {
  const properties: [string, JsonObject][] = []
  const conditions: JsonObject[] = []
  const uiSchema: [string, JsonObject][] = []
  for (const element of elements) {
    if (element.type === 'Label') continue
    const name = pathOf(firstControl(element).scope)[depth] ?? ''
    const inner = schemaAt(schema, [name])
    const part = element.type === 'Group' ? groupOf(inner, element, depth) : fieldOf(inner, element)
    uiSchema.push([name, part.uiSchema])
    if (element.rule) conditions.push(shownIf(element.rule.condition.schema, name, part.schema))
    else properties.push([name, part.schema])
  }
  // With "additionalProperties": false, an object would refuse properties that only a condition adds.
  const { additionalProperties: _, required, ...rest } = schema
  const names = uiSchema.map(([name]) => name)
  const needed = Array.isArray(required) ? names.filter((name) => required.includes(name)) : []
  return {
    schema: {
      ...rest,
      properties: Object.fromEntries(properties),
      ...(needed.length > 0 ? { required: needed } : {}),
      ...(conditions.length > 0 ? { allOf: conditions } : {}),
    },
    uiSchema: {
      ...Object.fromEntries(uiSchema),
      ...(conditions.length > 0 ? { 'ui:order': [...names, '*'] } : {}),
    },
  }
}

function shownIf(condition: JsonObject, name: string, schema: JsonObject): JsonObject {
  return conditionalSchema(condition, { properties: { [name]: schema } })
}

/** The first control in a group. There always is one, because groups without fields are left out. */
function firstControl(element: Control | Group): Control {
  let at: Element = element
  while (at.type === 'Group') at = at.elements[0] as Element
  return at as Control
}

function groupOf(schema: JsonObject, { label, elements }: Group, depth: number): Part {
  const part = objectOf(schema, elements, depth + 1)
  return { ...part, uiSchema: { ...part.uiSchema, 'ui:title': label } }
}

function fieldOf(given: JsonObject, { label, options = {} }: Control): Part {
  const schema = withNumberChoices(given)
  const uiSchema = {
    ...(label === undefined ? {} : { 'ui:title': label }),
    ...(options.format ? { 'ui:widget': 'password', 'ui:autocomplete': 'new-password' } : {}),
    ...(options.multi ? { 'ui:widget': 'textarea' } : {}),
    ...(options.readonly ? { 'ui:readonly': true } : {}),
    ...(isSet(schema) ? { 'ui:widget': 'checkboxes' } : {}),
  }
  return { schema, uiSchema }
}

/** Whether a schema is a list of fixed values, each at most once. */
function isSet(schema: JsonObject): boolean {
  return kindOf(schema) === 'choices' && schema['uniqueItems'] === true
}
