import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { referred, sameSchema } from '../config/index.ts'
import { isOffered, type OfferedTool } from './offered-tools.ts'

/** The place of a part of a schema that no validator can be made of, and the reason. */
interface BrokenPart {
  readonly pointer: string
  readonly reason: string
}

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
const SEVERAL = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']

type Compile = (pattern: string) => unknown

const known = new WeakMap<JsonObject, BrokenPart | null>()

/**
 * Warns of each tool on offer whose schema no validator can be made of, because all of its calls will fail.
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
    const message = `"input_schema" of tool "${name}"${owner} is not valid at ${place}: ${fault.reason}. Its calls fail until it is corrected.`
    warn(message)
  }
}

async function faultOf(given: JsonObject): Promise<BrokenPart | undefined> {
  const schema = sameSchema(given)
  const found = known.get(schema)
  if (found !== undefined) return found ?? undefined
  const fault = new Walk(schema, await compilerFor(schema)).first()
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
  readonly #open: [path: readonly (string | number)[], schema: unknown][]

  constructor(root: JsonObject, compile: Compile) {
    this.#root = root
    this.#compile = compile
    this.#open = [[[], root]]
  }

  first(): BrokenPart | undefined {
    for (let next = this.#open.pop(); next; next = this.#open.pop()) {
      const [path, schema] = next
      const fault = isObject(schema)
        ? (this.#wrongKeyword(schema, path) ?? this.#add(schema, path))
        : notSchema(schema, path)
      if (fault) return fault
    }
    return undefined
  }

  #wrongKeyword(schema: JsonObject, path: readonly (string | number)[]): BrokenPart | undefined {
    const { type, pattern, $ref: reference, required, enum: values } = schema
    const at = (key: string, reason: string) => ({ pointer: pointerOf([...path, key]), reason })
    const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
    const unknown = types.find((name) => !TYPES.has(name as string))
    if (unknown !== undefined) return at('type', `${JSON.stringify(unknown)} is not a type`)
    if (pattern !== undefined) {
      const reason = this.#patternFault(pattern)
      if (reason !== undefined) return at('pattern', reason)
    }
    if (typeof reference === 'string' && reference.startsWith('#/'))
      if (referred(this.#root, reference) === undefined)
        return at('$ref', `${JSON.stringify(reference)} points to a place that does not exist`)
    if (required !== undefined && !Array.isArray(required))
      return at('required', 'it is not a list')
    return values !== undefined && !Array.isArray(values)
      ? at('enum', 'it is not a list')
      : undefined
  }

  #patternFault(pattern: unknown): string | undefined {
    if (typeof pattern !== 'string') return 'it is not a text'
    try {
      this.#compile(pattern)
      return undefined
    } catch (error) {
      return `${JSON.stringify(pattern)} is not an RE2 expression (${messageOf(error)})`
    }
  }

  /** Adds the inner schemas, the last one first. */
  #add(schema: JsonObject, path: readonly (string | number)[]): BrokenPart | undefined {
    for (const key of ONE) {
      if (schema[key] !== undefined) this.#open.push([[...path, key], schema[key]])
    }
    for (const key of SEVERAL) {
      const list = schema[key]
      if (list === undefined) continue
      if (!Array.isArray(list))
        return { pointer: pointerOf([...path, key]), reason: 'it is not a list' }
      for (const [at, inner] of list.entries()) this.#open.push([[...path, key, at], inner])
    }
    for (const key of NAMED) {
      const fault = this.#addNamed(schema, key, path)
      if (fault) return fault
    }
    return undefined
  }

  #addNamed(
    schema: JsonObject,
    key: string,
    path: readonly (string | number)[],
  ): BrokenPart | undefined {
    const named = schema[key]
    if (named === undefined) return undefined
    if (!isObject(named))
      return { pointer: pointerOf([...path, key]), reason: 'it is not an object' }
    for (const [name, inner] of Object.entries(named)) {
      const place = [...path, key, name]
      const reason = key === 'patternProperties' ? this.#patternFault(name) : undefined
      if (reason !== undefined) return { pointer: pointerOf(place), reason }
      this.#open.push([place, inner])
    }
    return undefined
  }
}

function notSchema(value: unknown, path: readonly (string | number)[]): BrokenPart | undefined {
  if (typeof value === 'boolean') return undefined
  // Lists of items are from older drafts, whose validators are not used.
  return { pointer: pointerOf(path), reason: 'it is not a schema' }
}
