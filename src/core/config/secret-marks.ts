import { isObject, type JsonObject } from '@braidwork/plugin'
import { listIn } from './json-types.ts'
import { isQuick } from './quick-pattern.ts'

/** A setting that a schema marks as secret, as a destination of secrets, or as filled from an environment variable. */
export interface Mark {
  readonly path: readonly Step[]
  readonly isSecret: boolean
  /** Whether the setting decides where secrets are sent, from `x-destination`. */
  readonly isDestination?: boolean
  /** The environment variable that fills the setting, from `x-env`. */
  readonly variable?: string
}

/** A step of a path: a key; or all items of a list and the keys of a map that a schema is for. */
export type Step = string | Keys

/** The keys that a pattern matches, or all that no property and no pattern of a schema names. */
type Keys = { readonly only: string } | { readonly except: Named }

interface Named {
  readonly names: readonly string[]
  readonly patterns: readonly string[]
}

/** Whether a step of a path leads to one key. */
export function isKey(step: Step): step is string {
  return typeof step === 'string'
}

/** Longer keys are not tested, because a pattern may take long on them. */
const LONGEST_KEY = 1000
/** A group with a count may take as long as one without. */
const COUNTED_GROUP = /\)\{/
const tests = new WeakMap<Keys, (key: string) => boolean>()

/** Whether a step of a path leads to a key of an object. If that cannot be told in little time, it does. */
export function isOn(step: Step, key: string): boolean {
  if (typeof step === 'string') return step === key
  const test = tests.get(step) ?? testOf(step)
  tests.set(step, test)
  return test(key)
}

function testOf(keys: Keys): (key: string) => boolean {
  if ('only' in keys) return matcherOf(keys.only, true)
  const { names, patterns } = keys.except
  const matchers = patterns.map((pattern) => matcherOf(pattern, false))
  return (key) => !names.includes(key) && !matchers.some((matches) => matches(key))
}

function matcherOf(pattern: string, inDoubt: boolean): (key: string) => boolean {
  if (!isQuick(pattern) || COUNTED_GROUP.test(pattern)) return () => inDoubt
  const expression = new RegExp(pattern, 'u')
  return (key) => (key.length > LONGEST_KEY ? inDoubt : expression.test(key))
}

/** The longest path of a mark. A schema that refers to itself would have marks at every depth. */
const DEEPEST = 12
/** The most schema nodes that are visited, because references may multiply. */
const MOST_NODES = 20_000

/** Collects the marks of a schema, also behind its references and in its alternatives. */
export function marksOf(schema: JsonObject): readonly Mark[] {
  const walk: Walk = { root: schema, marks: new Map(), seen: new Map(), nodes: 0 }
  visit(walk, schema, [])
  return [...walk.marks.values()]
}

interface Walk {
  readonly root: JsonObject
  readonly marks: Map<string, Mark>
  /** The paths for which each schema was visited, because references may form circles. */
  readonly seen: Map<JsonObject, Set<string>>
  nodes: number
}

function visit(walk: Walk, schema: unknown, path: readonly Step[]): void {
  if (!isObject(schema) || path.length > DEEPEST || ++walk.nodes > MOST_NODES) return
  if (wasSeen(walk, schema, JSON.stringify(path))) return
  note(walk, schema, path)
  visit(walk, referred(walk.root, schema['$ref']), path)
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    for (const inner of listIn(schema[key])) visit(walk, inner, path)
  }
  for (const key of ['if', 'then', 'else']) visit(walk, schema[key], path)
  for (const key of ['dependentSchemas', 'dependencies'])
    for (const [, inner] of entriesOf(schema[key])) visit(walk, inner, path)
  for (const [name, inner] of entriesOf(schema['properties'])) visit(walk, inner, [...path, name])
  visitEach(walk, schema, path)
}

function wasSeen({ seen }: Walk, schema: JsonObject, path: string): boolean {
  const paths = seen.get(schema) ?? new Set()
  seen.set(schema, paths)
  if (paths.has(path)) return true
  paths.add(path)
  return false
}

const OTHERS = 'items additionalProperties unevaluatedItems unevaluatedProperties'.split(' ')

/** Visits the schemas of list items and of map values. */
function visitEach(walk: Walk, schema: JsonObject, path: readonly Step[]): void {
  const patterns = entriesOf(schema['patternProperties'])
  for (const [only, inner] of patterns) visit(walk, inner, [...path, { only }])
  const names = entriesOf(schema['properties']).map(([name]) => name)
  const others = [...path, { except: { names, patterns: patterns.map(([pattern]) => pattern) } }]
  for (const inner of OTHERS.flatMap((key) => schema[key])) visit(walk, inner, others)
  for (const inner of listIn(schema['prefixItems'])) visit(walk, inner, others)
}

function note({ marks }: Walk, schema: JsonObject, path: readonly Step[]): void {
  const variable = typeof schema['x-env'] === 'string' ? schema['x-env'] : undefined
  const isSecret = schema['writeOnly'] === true
  const isDestination = schema['x-destination'] === true
  if (!isSecret && !isDestination && variable === undefined) return
  const key = JSON.stringify(path)
  const known = marks.get(key)
  const named = variable ?? known?.variable
  marks.set(key, {
    path,
    isSecret: isSecret || known?.isSecret === true,
    ...(isDestination || known?.isDestination ? { isDestination: true } : {}),
    ...(named === undefined ? {} : { variable: named }),
  })
}

/** The schema that a reference within the document points to: a JSON pointer as a URI fragment. RFC 6901, 6 */
export function referred(root: JsonObject, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  return valueAt(root, decoded(reference.slice(1)))
}

/** The keys of a JSON pointer. RFC 6901, 4 */
export function pointerPath(pointer: string): string[] {
  const keys = pointer.split('/').slice(1)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a JSON pointer. RFC 6901 */
export function valueAt(root: unknown, pointer: string): unknown {
  return pointerPath(pointer).reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)]
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, root)
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // The fragment is not valid percent-encoding, so it is used as it is.
    return fragment
  }
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : []
}
