import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { type Flat, flatten, listOf, type Place } from './flatten.ts'
import { type Lost, lostBeside, toldIn } from './lost.ts'
import type { SchemaSource } from './source.ts'

/** A schema whose root is an object without branches. No API accepts other roots for tools. */
export interface ObjectRoot {
  readonly schema: JsonObject
  readonly lost: readonly Lost[]
}

const UNIONS = ['anyOf', 'oneOf'] as const
const ROOT: Place = { pointer: '', open: [''] }

/**
 * Converts the root of a tool's schema. A root with branches becomes one object with the members of all branches. Any
 * other root that is not an object stays as it is.
 * @throws {HostError} TOOL_SCHEMA_INVALID
 */
export function objectRoot(source: SchemaSource): ObjectRoot {
  const { root } = source
  if (!hasBranches(root)) return typedRoot(root)
  const { keywords, besides } = writtenOut(source, root)
  const { $defs, definitions } = root
  const names = { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) }
  const written = { ...keywords, ...toldIn(keywords['description'], besides), ...names }
  const key = UNIONS.find((union) => keywords[union] !== undefined)
  const whole = key === undefined ? typedRoot(written) : withoutBranches(source, written, key)
  const lost = besides.map(({ keyword }) => lostBeside('', keyword))
  return { ...whole, lost: [...lost, ...whole.lost] }
}

/** Whether the root of a schema is already an object without branches. */
export function isPlainObject(schema: JsonObject): boolean {
  return schema['type'] === 'object' && !hasBranches(schema)
}

function hasBranches(schema: JsonObject): boolean {
  return ['$ref', 'allOf', ...UNIONS].some((key) => key in schema)
}

/** Merges the root's reference and `allOf`. Wrapped in an `allOf`, because only then a lone reference is followed. */
function writtenOut(source: SchemaSource, schema: JsonObject): Flat {
  return flatten(source, { allOf: [schema] }, ROOT)
}

function typedRoot(schema: JsonObject): ObjectRoot {
  const { type } = schema
  if (type === 'object') return { schema, lost: [] }
  const types: readonly unknown[] = [type].flat()
  if (type !== undefined && !types.includes('object')) {
    const reason = 'the arguments are not an object; no API accepts that'
    return { schema, lost: [{ pointer: '', keyword: 'type', reason, effect: 'same' }] }
  }
  const reason = 'arguments that are not an object'
  const lost: Lost = { pointer: '', keyword: 'type', reason, effect: 'narrower' }
  return { schema: { ...schema, type: 'object' }, lost: [lost] }
}

function withoutBranches(
  source: SchemaSource,
  { [UNIONS[0]]: anyOf, [UNIONS[1]]: oneOf, ...shared }: JsonObject,
  key: (typeof UNIONS)[number],
): ObjectRoot {
  const listed = listOf(anyOf ?? oneOf, key, ROOT)
  const branches = listed.map((branch) =>
    isObject(branch) ? writtenOut(source, branch).keywords : {},
  )
  const needed = branches.map(({ required }) => new Set(Array.isArray(required) ? required : []))
  const inAll = [...(needed[0] ?? [])].filter((name) => needed.every((names) => names.has(name)))
  const own = Array.isArray(shared['required']) ? (shared['required'] as unknown[]) : []
  const told = { keyword: key, value: listed }
  const reason = 'the combinations of members; the description lists them if there is room'
  const schema = {
    ...shared,
    ...toldIn(shared['description'], [told]),
    type: 'object',
    properties: membersOf([shared, ...branches]),
    required: [...new Set([...own, ...inAll])],
  }
  return { schema, lost: [{ pointer: '', keyword: key, reason, effect: 'wider' }] }
}

/** The members of several objects. A member that differs among them may match any of its schemas. */
function membersOf(schemas: readonly JsonObject[]): JsonObject {
  const members = new Map<string, unknown[]>()
  for (const { properties } of schemas) {
    for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
      const known = members.get(name) ?? []
      if (!known.some((one) => isDeepStrictEqual(one, schema))) known.push(schema)
      members.set(name, known)
    }
  }
  const entries = [...members].map(([name, all]) => [
    name,
    all.length === 1 ? all[0] : { anyOf: all },
  ])
  return Object.fromEntries(entries)
}
