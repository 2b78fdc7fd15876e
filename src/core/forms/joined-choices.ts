import { isObject, type JsonObject } from '@braidwork/plugin'
import { isFixed } from '../config/index.ts'
import { type Choice, choicesOf } from './choices.ts'

/**
 * The alternatives of a union except null, without unions in between. All fixed texts are one alternative, and so are
 * all fixed numbers and booleans: a form shows one alternative, and must offer each of them there.
 */
export function joinedChoices(listed: readonly unknown[]): readonly JsonObject[] {
  const alternatives = alternativesOf(listed)
  const byType = new Map<string, JsonObject[]>()
  for (const one of alternatives) {
    const type = typeOf(one)
    if (type !== undefined) byType.set(type, [...(byType.get(type) ?? []), one])
  }
  return alternatives.flatMap((one) => {
    const alike = byType.get(typeOf(one) ?? '') ?? [one]
    if (alike.length < 2) return [one]
    return alike[0] === one ? [{ type: typeOf(one), anyOf: distinct(alike.flatMap(titled)) }] : []
  })
}

function alternativesOf(listed: readonly unknown[]): readonly JsonObject[] {
  return listed.filter(isObject).flatMap((one) => {
    if (one['type'] === 'null') return []
    const [inner, ...more] = Object.entries(one)
    const isUnion = more.length === 0 && (inner?.[0] === 'anyOf' || inner?.[0] === 'oneOf')
    return isUnion && Array.isArray(inner[1]) ? alternativesOf(inner[1]) : [one]
  })
}

const OF_CHOICES = new Set('type const enum oneOf anyOf title description'.split(' '))
const SIMPLE = new Set(['string', 'number', 'boolean'])

/** The type of the values of a schema that says nothing but its fixed values. Undefined for any other schema. */
function typeOf(schema: JsonObject): string | undefined {
  if (!Object.keys(schema).every((key) => OF_CHOICES.has(key))) return undefined
  const [type, ...others] = new Set(choicesOf(schema)?.map(({ value }) => typeof value))
  return type !== undefined && SIMPLE.has(type) && others.length === 0 ? type : undefined
}

function titled(schema: JsonObject): readonly Choice[] {
  const { const: value, title } = schema
  if (isFixed(schema)) return [{ value, ...(typeof title === 'string' ? { title } : {}) }]
  return choicesOf(schema) ?? []
}

/** The choices as fixed values, each once. */
function distinct(choices: readonly Choice[]): readonly JsonObject[] {
  const byValue = new Map<unknown, JsonObject>()
  for (const { value, ...words } of choices) {
    if (!byValue.has(value)) byValue.set(value, { const: value, ...words })
  }
  return [...byValue.values()]
}
