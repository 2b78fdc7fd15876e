import type { Values } from '../server/index.ts'
import { t, type Words, wordFor } from '../words/index.ts'

/** A form for specs: its schema, and how each field is shown. */
export interface SpecForm {
  readonly schema: Values
  readonly layout: Values
}

/** The form for a JSON Schema of specs. The id of an agent is no field of it. */
export function specForm(schema: Values): SpecForm {
  const { properties, required: _, ...rest } = schema
  const { id: __, ...stated } = valuesOf(properties)
  const fields = Object.fromEntries(
    Object.entries(stated).map(([name, field]) => [name, fieldSchema(valuesOf(field))]),
  )
  return {
    schema: { ...rest, properties: fields },
    layout: { ...fieldsLayout(fields), 'ui:order': [...FIRST, '*'].filter(isOrdered(fields)) },
  }
}

/**
 * The schema of a field. None is required, so what is in one is not either, as long as there is nothing of it. What is
 * written as JSON may be any text until the server checks it.
 */
function fieldSchema({ required: _, ...schema }: Values): Values {
  const isFree = schema['type'] === 'object' && schema['properties'] === undefined
  return isFree ? { type: 'object' } : schema
}

/** The fields that stand first. The others follow as in the schema. */
const FIRST = ['description', 'model_id', 'system_prompt', 'plugin_ids', 'allowed_tools']

function isOrdered(fields: Values): (name: string) => boolean {
  return (name) => name === '*' || name in fields
}

function fieldsLayout(fields: Values): Values {
  const entries = Object.entries(fields).map(([name, schema]) => [
    name,
    { ...named(name), ...layoutOf(valuesOf(schema)), ...(LONG.has(name) ? TEXT_AREA : {}) },
  ])
  return Object.fromEntries(entries)
}

const LONG: ReadonlySet<string> = new Set(['system_prompt'])
const TEXT_AREA = { 'ui:widget': 'textarea' }

function named(name: string): Values {
  const title = wordFor(`agentField_${name}`)
  const about = wordFor(`agentAbout_${name}`)
  return {
    // A field of a newer server has the title of its schema.
    ...(title === undefined ? {} : { 'ui:title': title }),
    ...(about === undefined ? {} : { 'ui:description': about }),
  }
}

function layoutOf(schema: Values): Values {
  const names = namesIn(schema)
  if (names) {
    const { examples } = valuesOf(names['items'])
    return { 'ui:field': 'lines', 'ui:fieldReplacesAnyOrOneOf': true, 'ui:examples': examples }
  }
  const { type, items, anyOf, enum: values } = schema
  if (Array.isArray(values)) return chosen(values)
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map((one) => choiceLayout(valuesOf(one))) }
  if (type === 'array') return { items: { 'ui:label': false, ...layoutOf(valuesOf(items)) } }
  // A checkbox could not say that a value is not set.
  if (type === 'boolean') return { 'ui:widget': 'select' }
  if (type !== 'object') return {}
  return schema['properties'] === undefined
    ? { 'ui:field': 'json' }
    : fieldsLayout(Object.assign({}, ...propertiesIn(schema)))
}

/** The properties of an object, and those that it has for some values of others. */
function propertiesIn({ properties, allOf }: Values): readonly Values[] {
  const branches = Array.isArray(allOf) ? allOf.map((one) => valuesOf(valuesOf(one)['then'])) : []
  return [...branches.flatMap(propertiesIn), valuesOf(properties)]
}

/** Values to choose from, by their words. Those of a newer server are shown as they are. */
function chosen(values: readonly unknown[]): Values {
  return {
    'ui:enumNames': values.map((value) => wordFor(`agentValue_${String(value)}`) ?? String(value)),
  }
}

/** The schema of a list of names in a schema, which may allow null instead. */
function namesIn(schema: Values): Values | undefined {
  const { type, items, anyOf } = schema
  if (type === 'array') return valuesOf(items)['type'] === 'string' ? schema : undefined
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const [list, other] = anyOf.map(valuesOf)
  return other?.['type'] === 'null' && list ? namesIn(list) : undefined
}

const CHOICES: { readonly [type: string]: keyof Words } = {
  integer: 'formNumber',
  object: 'formFields',
}

/** One of several forms of a value, named by its type. */
function choiceLayout(schema: Values): Values {
  const name = CHOICES[String(schema['type'])] ?? 'formText'
  return { ...layoutOf(schema), 'ui:title': t(name) }
}

function valuesOf(value: unknown): Values {
  return Object(value) as Values
}
