import type { JsonObject } from '@braidwork/plugin'
import { keywordsOf, lostBeside, type NoteLost, toldIn } from './lost.ts'
import type { Keyword, ObjectShape, SchemaNode, SchemaTree, Shape } from './node.ts'
import { isRegular } from './patterns.ts'
import type { SchemaSource } from './source.ts'

/** https://ai.google.dev/api/caching#Schema */
const FORMATS = new Set(['enum', 'date-time'])
/** Keywords whose values are 64-bit numbers, which Google's JSON writes as strings. */
const COUNTS = new Set(
  'minItems maxItems minLength maxLength minProperties maxProperties'.split(' '),
)
const PLAIN = new Set(['minimum', 'maximum'])
const TOLD = ['default', 'examples', 'example']
const SCALARS = ['STRING', 'NUMBER', 'BOOLEAN']

/** Converts to Google's `Schema`, a subset of OpenAPI's: no references or closed objects, and enums of strings only. */
export function googleSchema(tree: SchemaTree, source: SchemaSource, note: NoteLost): JsonObject {
  return new GooglePrinter(tree, source, note).print(tree.root)
}

class GooglePrinter {
  readonly #tree: SchemaTree
  readonly #source: SchemaSource
  readonly #note: NoteLost
  readonly #open = new Set<string>()

  constructor(tree: SchemaTree, source: SchemaSource, note: NoteLost) {
    this.#tree = tree
    this.#source = source
    this.#note = note
  }

  print(node: SchemaNode): JsonObject {
    this.#source.count()
    const { pointer, words, bounds, besides } = node
    const { description, title, ...others } = words
    const printed = this.#shape(node)
    const kept: Record<string, unknown> = {}
    const untold: Keyword[] = []
    for (const bound of [...keywordsOf(bounds), ...besides]) {
      const said = asGoogle(bound, printed['type'])
      if (said && !Object.hasOwn(kept, said.keyword)) kept[said.keyword] = said.value
      else untold.push(bound)
    }
    untold.push(...keywordsOf(others))
    for (const { keyword } of untold) this.#note(lostBeside(pointer, keyword))
    const isTold = ({ keyword }: Keyword) => TOLD.includes(keyword) || !(keyword in words)
    const said = {
      ...(typeof title === 'string' ? { title } : {}),
      ...toldIn(description, untold.filter(isTold)),
    }
    return withWords({ ...printed, ...kept }, said)
  }

  #shape({ pointer, shape }: SchemaNode): JsonObject {
    switch (shape.kind) {
      case 'any':
        return this.#any(pointer)
      case 'never':
        this.#note({ pointer, keyword: 'not', reason: 'no value is allowed', effect: 'wider' })
        return { type: 'NULL' }
      case 'reference':
        return this.#writtenOut(pointer, shape.target)
      case 'values':
        return this.#values(pointer, shape.values)
      case 'union':
        return unionOf(shape.branches.map((branch) => this.print(branch)))
      case 'array':
        return { type: 'ARRAY', items: this.print(shape.items) }
      case 'object':
        return this.#object(pointer, shape)
      default:
        return { type: shape.kind.toUpperCase() }
    }
  }

  #any(pointer: string): JsonObject {
    const reason = 'any value is allowed; the converted schema allows no lists and no objects'
    this.#note({ pointer, keyword: 'type', reason, effect: 'narrower' })
    return { anyOf: SCALARS.map((type) => ({ type, nullable: true })) }
  }

  #writtenOut(pointer: string, target: string): JsonObject {
    const node = this.#tree.targets.get(target)
    if (node && !this.#open.has(target)) {
      this.#open.add(target)
      const printed = this.print(node)
      this.#open.delete(target)
      return printed
    }
    const reason = 'the schema refers to itself; deeper levels are not described'
    this.#note({ pointer, keyword: '$ref', reason, effect: 'wider' })
    return coarse(node?.shape)
  }

  #values(pointer: string, values: readonly unknown[]): JsonObject {
    const texts = values.filter((value) => typeof value === 'string' && value !== '')
    const others = values.filter((value) => value !== null && !texts.includes(value))
    const types = [...new Set(others.map(typeOf))]
    const branches: JsonObject[] = types.map((type) => ({ type }))
    if (others.length > 0) {
      this.#note({
        pointer,
        keyword: 'enum',
        reason: 'values that are not strings',
        effect: 'wider',
      })
      const told = toldIn(undefined, [{ keyword: 'enum', value: others }])
      for (const [at, branch] of branches.entries()) branches[at] = { ...branch, ...told }
    }
    if (texts.length > 0) branches.unshift({ type: 'STRING', format: 'enum', enum: texts })
    return unionOf(values.includes(null) ? [...branches, { type: 'NULL' }] : branches)
  }

  #object(pointer: string, { properties, others }: ObjectShape): JsonObject {
    if (others !== 'unsaid') {
      const isRefused = others === 'refused'
      const reason = isRefused
        ? 'members that are not listed are forbidden'
        : 'the schema of members that are not listed'
      this.#note({ pointer, keyword: 'additionalProperties', reason, effect: 'wider' })
    }
    const possible = [...properties].filter(([, { node }]) => node.shape.kind !== 'never')
    if (possible.length < properties.size)
      this.#note({
        pointer,
        keyword: 'properties',
        reason: 'members that must be absent',
        effect: 'wider',
      })
    const required = possible.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []))
    if (possible.length === 0) return { type: 'OBJECT' }
    const printed = possible.map(([name, { node }]) => [name, this.print(node)] as const)
    return {
      type: 'OBJECT',
      properties: Object.fromEntries(printed),
      ...(required.length > 0 ? { required } : {}),
    }
  }
}

/** A keyword as Google writes it. Undefined if Google has no such keyword. */
function asGoogle({ keyword, value }: Keyword, type: unknown): Keyword | undefined {
  if (type === undefined) return undefined
  if (keyword === 'format') {
    return FORMATS.has(String(value)) ? { keyword, value } : undefined
  }
  if (COUNTS.has(keyword)) return { keyword, value: String(value) }
  if (PLAIN.has(keyword) || (keyword === 'pattern' && isRegular(value))) return { keyword, value }
  if (type !== 'INTEGER' || !Number.isInteger(value)) return undefined
  if (keyword === 'exclusiveMinimum') return { keyword: 'minimum', value: Number(value) + 1 }
  return keyword === 'exclusiveMaximum'
    ? { keyword: 'maximum', value: Number(value) - 1 }
    : undefined
}

/** A union. If null is allowed, each branch says so, because no keyword may stand beside `anyOf`. */
function unionOf(given: readonly JsonObject[]): JsonObject {
  const all = given.flatMap((one) =>
    Array.isArray(one['anyOf']) ? (one['anyOf'] as JsonObject[]) : [one],
  )
  const branches = all.filter(({ type }) => type !== 'NULL')
  const isNullable = branches.length < all.length
  const said = branches.map((branch) => (isNullable ? { ...branch, nullable: true } : branch))
  const [only] = said
  if (!only) return { type: 'NULL' }
  return said.length === 1 ? only : { anyOf: said }
}

function withWords(schema: JsonObject, words: JsonObject): JsonObject {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return joinedWords(schema, words)
  return { anyOf: (anyOf as JsonObject[]).map((branch) => joinedWords(branch, words)) }
}

function joinedWords(schema: JsonObject, words: JsonObject): JsonObject {
  const texts = [words['description'], schema['description']]
  const said = texts.filter((text) => typeof text === 'string' && text !== '')
  return { ...words, ...schema, ...(said.length > 0 ? { description: said.join('\n') } : {}) }
}

/** A rough schema for a shape that is not described further. */
function coarse(shape: Shape | undefined): JsonObject {
  if (shape?.kind === 'array') return { type: 'ARRAY', items: { type: 'STRING' } }
  return { type: 'OBJECT' }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'ARRAY'
  if (Number.isInteger(value)) return 'INTEGER'
  return typeof value === 'object' ? 'OBJECT' : (typeof value).toUpperCase()
}
