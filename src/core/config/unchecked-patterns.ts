import { isObject, type JsonObject } from '@braidwork/plugin'
import { DATA, NAMED } from './check-work.ts'
import { sameSchema } from './same-schema.ts'

/** Whether the linear-time engine can run a pattern. */
type CanRun = (pattern: string) => boolean

const known = new WeakMap<JsonObject, JsonObject>()

/**
 * The schema without the patterns that need lookaround or backreferences: only a backtracking engine runs those, and it
 * may hang. Where a keyword would refuse more without such a pattern, it is left out too, so the schema never refuses a
 * value that the given one accepts. Other keywords stay as they are. Equal schemas get the same object.
 */
export async function withoutUnchecked(given: JsonObject): Promise<JsonObject> {
  const found = known.get(given)
  if (found) return found
  const schema = sameSchema(given)
  const without = known.get(schema) ?? (await removed(schema))
  known.set(schema, without)
  known.set(given, without)
  return without
}

async function removed(schema: JsonObject): Promise<JsonObject> {
  const patterns = patternsIn(schema)
  if (patterns.size === 0) return schema
  const { RE2JS } = await import('re2js')
  const beyond = new Set<string>()
  for (const pattern of patterns) {
    try {
      RE2JS.compile(pattern)
    } catch {
      beyond.add(pattern)
    }
  }
  const canRun: CanRun = (pattern) => !beyond.has(pattern)
  return beyond.size === 0 ? schema : (looser(schema, canRun) as JsonObject)
}

/** All texts that may be patterns. Iterative: nesting may be deep. */
function patternsIn(schema: JsonObject): ReadonlySet<string> {
  const patterns = new Set<string>()
  const open: unknown[] = [schema]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const pattern of ownPatterns(value)) patterns.add(pattern)
    for (const inner of Object.values(value)) open.push(inner)
  }
  return patterns
}

function ownPatterns(value: object): readonly string[] {
  if (!isObject(value)) return []
  const { pattern, patternProperties: named } = value
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isObject(named) ? Object.keys(named) : []),
  ]
}

function looser(value: unknown, canRun: CanRun): unknown {
  if (Array.isArray(value)) return value.map((item) => looser(item, canRun))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(loosened(value, canRun)).map(([key, inner]) => {
      if (DATA.has(key)) return [key, inner]
      if (!(NAMED.has(key) && isObject(inner))) return [key, looser(inner, canRun)]
      const schemas = Object.entries(inner).map(([name, one]) => [name, looser(one, canRun)])
      return [key, Object.fromEntries(schemas)]
    }),
  )
}

/** One schema without its own keywords that are not checked. */
function loosened(schema: JsonObject, canRun: CanRun): JsonObject {
  const open = (inner: unknown) => isOpen(inner, canRun)
  // What a removed keyword has evaluated is not known, so nothing may be refused as unevaluated.
  const { unevaluatedProperties: _, unevaluatedItems: __, ...rest } = schema
  const { pattern, patternProperties: named, oneOf, contains } = rest
  const dropped: string[] = []
  if (typeof pattern === 'string' && !canRun(pattern)) dropped.push('pattern')
  if (open(rest['not'])) dropped.push('not')
  if (open(rest['if'])) dropped.push('if', 'then', 'else')
  if (open(contains)) dropped.push('maxContains')
  if (open(oneOf)) dropped.push('oneOf')
  const isNamed = isObject(named) && !Object.keys(named).every(canRun)
  if (isNamed) dropped.push('additionalProperties')
  const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !dropped.includes(key)))
  if (isNamed) {
    const runnable = Object.entries(named).filter(([name]) => canRun(name))
    kept['patternProperties'] = Object.fromEntries(runnable)
  }
  if (!dropped.includes('oneOf')) return kept
  // More than one may match now.
  return { ...kept, allOf: [...[kept['allOf'] ?? []].flat(), { anyOf: oneOf }] }
}

/** Whether a schema may accept more values without its unchecked patterns. References are not followed. */
function isOpen(schema: unknown, canRun: CanRun): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const isReference = ['$ref', '$dynamicRef'].some((key) => Object.hasOwn(schema, key))
  if (isReference || !ownPatterns(schema).every(canRun)) return true
  return Object.values(schema).some((inner) => isOpen(inner, canRun))
}
