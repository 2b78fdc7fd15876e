import { isObject, type JsonObject } from '../../../events/index.ts'

/** One of the values that a field offers. */
export interface Choice {
  readonly value: unknown
  readonly title?: string
}

/** What a schema of fixed values offers; nothing for others. */
export function choicesOf(schema: JsonObject): readonly Choice[] | undefined {
  const { enum: values, const: only, oneOf, anyOf } = schema
  if (Array.isArray(values)) return values.map((value: unknown) => ({ value }))
  if (only !== undefined) return [{ value: only }]
  const listed: unknown = oneOf ?? anyOf
  if (!Array.isArray(listed)) return undefined
  return listed.filter(isObject).map(({ const: value, title }) => ({
    value,
    ...(typeof title === 'string' ? { title } : {}),
  }))
}
