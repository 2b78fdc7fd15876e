import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { referred, sameSchema } from '../config/index.ts'
import { isOffered, type OfferedTool } from './offered-tools.ts'

/** The place of a part of a schema that no validator can be made of, the reason, and what follows. */
interface BrokenPart {
  readonly pointer: string
  readonly reason: string
  readonly effect: string
}

type Place = readonly (string | number)[]

const FATAL = 'Its calls fail until it is corrected.'
const UNCHECKED = 'Arguments are not checked against this pattern.'

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
/** The keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = [
  'additionalProperties',
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
]
const NUMBERS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]
const SEVERAL = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']

type Compile = (pattern: string) => unknown

const known = new WeakMap<JsonObject, BrokenPart | null>()

/**
 * Warns of each tool on offer whose schema no validator can be made of, because all of its calls will fail, and of each
 * whose schema has a pattern that is not checked.
 */
export async function tellBroken(
  tools: readonly OfferedTool[],
  warn: (warning: string) => void,
): Promise<void> {
  for (const tool of tools) {
    const { name, plugin, schema } = tool
    const fault = isOffered(tool) ? await faultOf(schema.input_schema) : undefined
    if (!fault) continue
    const owner = plugin ? ` of plugin "${plugin.name}"` : ''
    const place = fault.pointer || '/'
    const message = `"input_schema" of tool "${name}"${owner} is not valid at ${place}: ${fault.reason}. ${fault.effect}`
    warn(message)
  }
}

async function faultOf(given: JsonObject): Promise<BrokenPart | undefined> {
  const schema = sameSchema(given)
  const found = known.get(schema)
  if (found !== undefined) return found ?? undefined
  const fault = new Walk(schema, await compilerFor(schema)).worst()
  known.set(schema, fault ?? null)
  return fault
}

/** Compiles patterns as the validator does. Loaded only for schemas with patterns. */
async function compilerFor(schema: JsonObject): Promise<Compile> {
  if (!/"pattern(Properties)?":/.test(JSON.stringify(schema))) return () => undefined
  const { RE2JS } = await import('re2js')
  return (pattern) => RE2JS.compile(pattern)
}

/** Walks through a schema. Iterative: nesting may be deep. */
class Walk {
  readonly #root: JsonObject
  readonly #compile: Compile
  /** Whether a part of the schema has an address of its own, which a reference may name. */
  readonly #hasIds: boolean
  readonly #open: [path: Place, schema: unknown][]
  /** The first pattern that is not checked. */
  #unchecked: BrokenPart | undefined

  constructor(root: JsonObject, compile: Compile) {
    this.#root = root
    this.#compile = compile
    this.#hasIds = JSON.stringify(root).includes('"$id"')
    this.#open = [[[], root]]
  }

  /** The first part for which all calls fail, otherwise the first one that is not checked. */
  worst(): BrokenPart | undefined {
    for (let next = this.#open.pop(); next; next = this.#open.pop()) {
      const [path, schema] = next
      const fault = isObject(schema)
        ? (this.#wrongKeyword(schema, path) ?? this.#add(schema, path))
        : notSchema(schema, path)
      if (fault) return fault
    }
    return this.#unchecked
  }

  #wrongKeyword(schema: JsonObject, path: Place): BrokenPart | undefined {
    const { type, pattern, required, enum: values } = schema
    const at = (key: string, reason: string) => broken([...path, key], reason)
    const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
    const unknown = types.find((name) => !TYPES.has(name as string))
    if (unknown !== undefined) return at('type', `${JSON.stringify(unknown)} is not a type`)
    if (pattern !== undefined && typeof pattern !== 'string')
      return at('pattern', 'it is not a text')
    if (pattern !== undefined) this.#tryPattern(pattern, [...path, 'pattern'])
    const reason = this.#referenceFault(schema['$ref'])
    if (reason !== undefined) return at('$ref', reason)
    const number = NUMBERS.find((key) => !['number', 'undefined'].includes(typeof schema[key]))
    if (number !== undefined) return at(number, 'it is not a number')
    if (required !== undefined && !Array.isArray(required))
      return at('required', 'it is not a list')
    return values !== undefined && !Array.isArray(values)
      ? at('enum', 'it is not a list')
      : undefined
  }

  #referenceFault(reference: unknown): string | undefined {
    if (typeof reference !== 'string') return undefined
    if (!reference.startsWith('#'))
      return this.#hasIds
        ? undefined
        : `${JSON.stringify(reference)} is another document, and none is downloaded`
    if (!reference.startsWith('#/') || referred(this.#root, reference) !== undefined)
      return undefined
    return `${JSON.stringify(reference)} points to a place that does not exist`
  }

  #tryPattern(pattern: string, path: Place): void {
    try {
      this.#compile(pattern)
    } catch (error) {
      const reason = `${JSON.stringify(pattern)} is not an RE2 expression (${messageOf(error)})`
      this.#unchecked ??= broken(path, reason, UNCHECKED)
    }
  }

  /** Adds the inner schemas, the last one first. */
  #add(schema: JsonObject, path: Place): BrokenPart | undefined {
    for (const key of ONE) {
      if (schema[key] !== undefined) this.#open.push([[...path, key], schema[key]])
    }
    for (const key of SEVERAL) {
      const list = schema[key]
      if (list === undefined) continue
      if (!Array.isArray(list)) return broken([...path, key], 'it is not a list')
      for (const [at, inner] of list.entries()) this.#open.push([[...path, key, at], inner])
    }
    for (const key of NAMED) {
      const fault = this.#addNamed(schema, key, path)
      if (fault) return fault
    }
    return undefined
  }

  #addNamed(schema: JsonObject, key: string, path: Place): BrokenPart | undefined {
    const named = schema[key]
    if (named === undefined) return undefined
    if (!isObject(named)) return broken([...path, key], 'it is not an object')
    for (const [name, inner] of Object.entries(named)) {
      const place = [...path, key, name]
      if (key === 'patternProperties') this.#tryPattern(name, place)
      this.#open.push([place, inner])
    }
    return undefined
  }
}

function broken(path: Place, reason: string, effect = FATAL): BrokenPart {
  return { pointer: pointerOf(path), reason, effect }
}

function notSchema(value: unknown, path: Place): BrokenPart | undefined {
  if (typeof value === 'boolean') return undefined
  // Lists of items are from older drafts, whose validators are not used.
  return broken(path, 'it is not a schema')
}
