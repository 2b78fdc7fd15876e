import { isObject, type JsonObject } from '@braidwork/plugin'

/** One of the values that a field accepts. */
export interface Choice {
  readonly value: unknown
  readonly label: string
}

export const SWITCH: readonly Choice[] = [
  { value: true, label: 'yes' },
  { value: false, label: 'no' },
]

/** The values that a schema allows, with their titles. */
export function choicesOf(schema: JsonObject): readonly Choice[] {
  const { enum: values, oneOf, anyOf } = schema
  if (Array.isArray(values)) return values.map((value) => ({ value, label: textOf(value) }))
  const listed: readonly unknown[] = [oneOf, anyOf].find(Array.isArray) ?? [schema]
  return listed.filter(isObject).flatMap((one) => {
    if (!('const' in one)) return []
    const { const: value, title } = one
    return [{ value, label: typeof title === 'string' ? title : textOf(value) }]
  })
}

/** A value as one line of text for a person. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(', ')
  return JSON.stringify(value)
}
