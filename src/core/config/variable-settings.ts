import { isObject, type JsonObject } from '@braidwork/plugin'
import { fits } from './fits.ts'
import { hasType, listIn } from './json-types.ts'
import type { Variables } from './layers.ts'
import { stringsIn } from './masked-values.ts'
import { isKey, type Mark, referred } from './secret-marks.ts'
import { byTags } from './union-branches.ts'

/** A setting that an environment variable fills. */
export interface VariableSetting {
  readonly path: readonly string[]
  readonly value: unknown
  /** The texts that are secret wherever they occur. Empty for a choice of the schema, a boolean and null. */
  readonly texts: readonly string[]
}

/** A plugin's schema, with the marks in it. */
export interface MarkedSchema {
  readonly schema: JsonObject
  readonly marks: readonly Mark[]
}

/**
 * The settings that environment variables fill: those with `x-env` that the settings do not set, in the branches that the
 * settings take. An object that the settings do not have is made only if it then has all that its schema requires.
 */
export function variableSettings(
  { schema, marks }: MarkedSchema,
  settings: unknown,
  variables: Variables,
): readonly VariableSetting[] {
  const set = marks.flatMap(({ variable = '', path }) =>
    variables[variable] && path.every(isKey) ? { variable, path } : [],
  )
  if (set.length === 0) return []
  const walk = { root: schema, variables }
  return settingsAt(walk, { schemas: [schema], marks: set, value: settings ?? {}, path: [] })
}

interface Walk {
  readonly root: JsonObject
  readonly variables: Variables
}

/** A setting that a variable fills which is set. */
interface VariableMark {
  readonly path: readonly string[]
  readonly variable: string
}

/** A place in settings. */
interface Place {
  readonly schemas: readonly unknown[]
  /** The marks here and below. */
  readonly marks: readonly VariableMark[]
  /** What the settings have here. */
  readonly value: unknown
  readonly path: readonly string[]
}

function settingsAt(walk: Walk, { schemas, marks, value, path }: Place): VariableSetting[] {
  const parts = applying(walk.root, schemas, value)
  const own = marks.find((mark) => mark.path.length === path.length)
  if (value === undefined && own && parts.some((part) => part['x-env'] === own.variable)) {
    const text = walk.variables[own.variable] as string
    return [{ path, ...fromText(text, parts) }]
  }
  if (value !== undefined && !isObject(value)) return []
  const names = new Set(marks.flatMap((mark) => mark.path[path.length] ?? []))
  const filled = [...names].flatMap((name) =>
    settingsAt(walk, {
      schemas: parts.flatMap((part) => memberOf(part['properties'], name) ?? []),
      marks: marks.filter((mark) => mark.path[path.length] === name),
      value: memberOf(value, name),
      path: [...path, name],
    }),
  )
  return value !== undefined || isWhole(parts, filled, path.length) ? filled : []
}

/** Whether settings that are filled in at a depth are all that an object needs. */
function isWhole(
  parts: readonly JsonObject[],
  filled: readonly VariableSetting[],
  depth: number,
): boolean {
  const names = new Set(filled.map(({ path }) => path[depth]))
  const required = parts.flatMap((part) => listIn(part['required']))
  return required.every((name) => names.has(String(name)))
}

/** The schemas that hold for a value: the given ones, those that they refer to, and the branches that the value takes. */
function applying(root: JsonObject, schemas: readonly unknown[], value: unknown): JsonObject[] {
  const found = new Set<JsonObject>()
  const next = [...schemas]
  for (const schema of next) {
    if (!isObject(schema) || found.has(schema)) continue
    found.add(schema)
    next.push(referred(root, schema['$ref']), ...listIn(schema['allOf']))
    next.push(...branchesFor(root, schema, value))
  }
  return [...found]
}

function branchesFor(root: JsonObject, schema: JsonObject, value: unknown): readonly unknown[] {
  const alternatives = [...listIn(schema['anyOf']), ...listIn(schema['oneOf'])]
  const { if: condition } = schema
  const given = isObject(value) ? { ...defaultsOf(schema), ...value } : defaultsOf(schema)
  const conditional = isObject(condition) && schema[fits(condition, given) ? 'then' : 'else']
  const dependent = isObject(schema['dependentSchemas']) ? schema['dependentSchemas'] : {}
  return [
    ...takenOf(root, alternatives, value),
    conditional,
    ...Object.entries(dependent).flatMap(([name, one]) => (Object.hasOwn(given, name) ? one : [])),
  ]
}

/** The alternatives that a value may become one of by members that are added. */
function takenOf(root: JsonObject, alternatives: readonly unknown[], value: unknown) {
  const branches = alternatives.map((branch) => resolved(root, branch))
  const taken = branches.filter(isObject).filter((branch) => mayTake(value, branch))
  const left: readonly unknown[] = byTags(taken, value, root).left
  return alternatives.filter((_, at) => left.includes(branches[at]))
}

/** Whether a value may become one of a branch by members that are added. */
function mayTake(value: unknown, branch: JsonObject): boolean {
  if (value === undefined) return true
  const { required: _, ...rest } = branch
  const { properties, additionalProperties } = branch
  const isClosed = additionalProperties === false && isObject(properties) && isObject(value)
  const known = isClosed
    ? Object.keys(value).every((name) => Object.hasOwn(properties, name))
    : true
  return known && fits(rest, value)
}

/** The schema that a branch refers to, or the branch. */
function resolved(root: JsonObject, branch: unknown): unknown {
  const target = isObject(branch) ? referred(root, branch['$ref']) : undefined
  return target === undefined ? branch : { ...(target as object), ...(branch as object) }
}

function defaultsOf({ properties }: JsonObject): JsonObject {
  if (!isObject(properties)) return {}
  const members = Object.entries(properties).flatMap(([name, schema]) =>
    isObject(schema) && Object.hasOwn(schema, 'default') ? [[name, schema['default']]] : [],
  )
  return Object.fromEntries(members) as JsonObject
}

/** The text of a variable as the value that schemas want: a text, or JSON for a number, a boolean, a list or an object. */
function fromText(text: string, parts: readonly JsonObject[]): Omit<VariableSetting, 'path'> {
  const choices = parts.flatMap((part) => [...listIn(part['enum']), part['const']])
  const choice = choices.find((value) => value !== undefined && String(value) === text)
  if (choice !== undefined) return { value: choice, texts: [] }
  const types = parts.flatMap(({ type }) => (Array.isArray(type) ? (type as unknown[]) : [type]))
  const wanted = types.filter((type) => typeof type === 'string')
  const asText = { value: text, texts: [text] }
  if (wanted.length === 0 || wanted.includes('string')) return asText
  const value = jsonOf(text)
  if (!hasType(wanted, value)) return asText
  const isWord = typeof value === 'boolean' || value === null
  return { value, texts: isWord ? [] : [text, ...stringsIn(value)] }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // It stays a text, which the check of the settings refuses.
    return undefined
  }
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
