import { isObject, type JsonObject } from '@braidwork/plugin'

/** The facts of a tool's input property that help to fill it. */
export interface Property {
  readonly name: string
  readonly schema: JsonObject
  readonly type: string | undefined
  readonly isRequired: boolean
}

/** The properties of an object schema. Those with unusable schemas are left out. */
export function propertiesOf(schema: JsonObject): Property[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).flatMap(([name, inner]) => {
    if (!isObject(inner) || name === '__proto__') return []
    return [{ name, schema: inner, type: typeOf(inner), isRequired: required.includes(name) }]
  })
}

/** The type of a schema; of several types the first that is not null. */
export function typeOf(schema: JsonObject): string | undefined {
  const type: unknown = [schema['type']].flat().find((name) => name !== 'null')
  if (typeof type === 'string') return type
  if (schema['properties'] !== undefined) return 'object'
  return schema['items'] === undefined ? undefined : 'array'
}

export function enumOf(schema: JsonObject): readonly unknown[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']]
  return Array.isArray(schema['enum']) && schema['enum'].length > 0 ? schema['enum'] : undefined
}
