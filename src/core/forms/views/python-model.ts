import { isObject, type JsonObject } from '@braidwork/plugin'

/** A field of a pydantic model. */
export interface ModelField {
  readonly name: string
  /** Its type in Python. */
  readonly type: string
  /** Its JSON Schema, as pydantic writes it. */
  readonly schema: JsonObject
}

const HEAD = 'from typing import Literal\n\nfrom pydantic import BaseModel, Field\n\n\n'

/** The Python source of a pydantic model with these fields. */
export function modelSource(name: string, fields: readonly ModelField[]): string {
  const lines = fields.map((field) => `    ${field.name}: ${field.type} = ${fieldCall(field)}\n`)
  return `${HEAD}class ${name}(BaseModel):\n${lines.length > 0 ? lines.join('') : '    pass\n'}`
}

/** JSON Schema keywords and the arguments of `Field` for them. The Python type expresses the others. */
const ARGUMENTS: { readonly [keyword: string]: string } = {
  default: 'default',
  title: 'title',
  description: 'description',
  minLength: 'min_length',
  maxLength: 'max_length',
  minimum: 'ge',
  exclusiveMinimum: 'gt',
  maximum: 'le',
  exclusiveMaximum: 'lt',
  multipleOf: 'multiple_of',
}
const BY_TYPE = new Set(['type', 'items', 'enum', 'const'])

function fieldCall({ schema }: ModelField): string {
  const known = Object.entries(ARGUMENTS).filter(([keyword]) => keyword in schema)
  const said = known.map(([keyword, name]) => `${name}=${pythonValue(schema[keyword])}`)
  const extra = Object.entries(schema).filter(([key]) => !BY_TYPE.has(key) && !(key in ARGUMENTS))
  const more =
    extra.length > 0 ? [`json_schema_extra=${pythonValue(Object.fromEntries(extra))}`] : []
  return `Field(${[...said, ...more].join(', ')})`
}

/** A JSON value as a Python literal. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${pythonValue(inner)}`,
  )
  return `{${entries.join(', ')}}`
}
