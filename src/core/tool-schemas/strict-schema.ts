import type { JsonObject } from '@braidwork/plugin'
import { keywordsOf, type Lost, lostBeside, type NoteLost, toldIn } from './lost.ts'
import {
  type Keyword,
  type ObjectShape,
  type SchemaNode,
  type SchemaTree,
  takesNull,
} from './node.ts'

/** The rules of one API's strict mode. */
export interface StrictRules {
  /** Whether the API accepts a bound in a schema. */
  readonly hasBound: (keyword: string, value: unknown) => boolean
  /** Whether all members must be required, so that null stands for an absent one. */
  readonly requiresAll: boolean
  /** Whether null may stand for an absent member. If not, an optional member is a fault. */
  readonly takesNulls: boolean
  readonly hasRecursion: boolean
  /** Whether enums must have a type. */
  readonly typesValues: boolean
}

/** A schema for strict mode. If it has faults, strict mode is not possible. */
export interface StrictSchema {
  readonly schema: JsonObject
  /** The parts that strict mode cannot express at all. */
  readonly faults: readonly Lost[]
}

/** Keywords that a schema keeps, and keywords whose values are added to its description. */
const KEPT = ['title']
const TOLD = ['default', 'examples', 'example']

/** Converts a schema for an API's strict mode: closed objects, unions, references. */
export function strictSchema(tree: SchemaTree, rules: StrictRules, note: NoteLost): StrictSchema {
  const printer = new StrictPrinter(tree, rules, note)
  const root = printer.print(tree.root)
  const definitions = Object.fromEntries(printer.definitions)
  const schema = printer.definitions.size > 0 ? { ...root, $defs: definitions } : root
  return { schema, faults: printer.faults }
}

class StrictPrinter {
  readonly faults: Lost[] = []
  readonly definitions = new Map<string, JsonObject>()
  readonly #tree: SchemaTree
  readonly #rules: StrictRules
  readonly #note: NoteLost
  readonly #names = new Map<string, string>()
  readonly #open = new Set<string>()

  constructor(tree: SchemaTree, rules: StrictRules, note: NoteLost) {
    this.#tree = tree
    this.#rules = rules
    this.#note = note
  }

  print(node: SchemaNode): JsonObject {
    const { pointer, shape, words, bounds, besides } = node
    const { description, ...others } = words
    const untold: Keyword[] = [...besides]
    const kept: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(bounds)) {
      // An enum needs no further bounds, and the APIs' own helper libraries expect none beside it.
      const isKept = shape.kind !== 'values' && this.#rules.hasBound(keyword, value)
      if (isKept) kept[keyword] = value
      else untold.push({ keyword, value })
    }
    untold.push(...keywordsOf(others, ...KEPT))
    for (const { keyword } of untold) this.#note(lostBeside(pointer, keyword))
    const isTold = ({ keyword }: Keyword) => TOLD.includes(keyword) || !(keyword in words)
    const said = { ...titleIn(words), ...toldIn(description, untold.filter(isTold)) }
    const printed = this.#shape(node)
    if (!('$ref' in printed)) return { ...printed, ...kept, ...joinedWords(said, printed) }
    // No API allows a description beside a reference, and one of a circle cannot be resolved.
    for (const keyword of Object.keys(said))
      this.#note({ pointer, keyword, reason: 'descriptions beside a reference', effect: 'same' })
    return printed
  }

  #shape({ pointer, shape }: SchemaNode): JsonObject {
    switch (shape.kind) {
      case 'any':
        return this.#fault(pointer, 'type', 'a value of any type')
      case 'never':
        return this.#fault(pointer, 'not', 'no value is allowed')
      case 'reference':
        return this.#referenceTo(pointer, shape.target)
      case 'values':
        return this.#values(pointer, shape.values)
      case 'union':
        return this.#union(shape.branches)
      case 'array':
        return { type: 'array', items: this.print(shape.items) }
      case 'object':
        return this.#object(pointer, shape)
      default:
        return { type: shape.kind }
    }
  }

  #fault(pointer: string, keyword: string, reason: string): JsonObject {
    this.faults.push({ pointer, keyword, reason, effect: 'same' })
    return {}
  }

  #values(pointer: string, values: readonly unknown[]): JsonObject {
    if (values.some((value) => typeof value === 'object' && value !== null))
      return this.#fault(pointer, 'enum', 'values that are lists or objects')
    return this.#rules.typesValues ? { type: typeOfAll(values), enum: values } : { enum: values }
  }

  #union(branches: readonly SchemaNode[]): JsonObject {
    const printed = branches.map((branch) => this.print(branch))
    const [only] = printed
    return only && printed.length === 1 ? only : { anyOf: printed }
  }

  #referenceTo(pointer: string, target: string): JsonObject {
    if (this.#open.has(target) && !this.#rules.hasRecursion)
      return this.#fault(pointer, '$ref', 'a schema that refers to itself')
    const name = this.#nameOf(target)
    const node = this.#tree.targets.get(target)
    if (node && !this.definitions.has(name)) {
      // The name is reserved before the schema is printed, because the schema may refer to itself.
      this.definitions.set(name, {})
      this.#open.add(target)
      this.definitions.set(name, this.print(node))
      this.#open.delete(target)
    }
    return { $ref: `#/$defs/${name}` }
  }

  #nameOf(target: string): string {
    const known = this.#names.get(target)
    if (known !== undefined) return known
    const last = target.slice(target.lastIndexOf('/') + 1)
    const clean = last.replaceAll(/[^A-Za-z0-9_-]/g, '_') || 'root'
    const taken = new Set(this.#names.values())
    let name = clean
    for (let number = 2; taken.has(name); number++) name = `${clean}_${number}`
    this.#names.set(target, name)
    return name
  }

  #object(pointer: string, { properties, others }: ObjectShape): JsonObject {
    const isFree = others === 'unsaid' && properties.size === 0 && pointer !== ''
    if (others === 'wanted' || isFree)
      return this.#fault(pointer, 'additionalProperties', 'members that are not listed')
    if (others === 'unsaid') {
      const reason = 'members that are not listed'
      this.#note({ pointer, keyword: 'additionalProperties', reason, effect: 'narrower' })
    }
    const possible = [...properties].filter(
      ([, { node, isRequired }]) => isRequired || node.shape.kind !== 'never',
    )
    const printed = possible.map(([name, property]) => [name, this.#member(property)] as const)
    const required = possible.filter(
      ([, property]) => this.#rules.requiresAll || property.isRequired,
    )
    return {
      type: 'object',
      properties: Object.fromEntries(printed),
      required: required.map(([name]) => name),
      additionalProperties: false,
    }
  }

  #member({ node, isRequired }: { node: SchemaNode; isRequired: boolean }): JsonObject {
    const printed = this.print(node)
    if (isRequired || !this.#rules.requiresAll) return printed
    const isNullable = takesNull(node, this.#tree)
    if (!isNullable && !this.#rules.takesNulls) {
      const why =
        'it is optional: only null could stand for its absence, and no code would remove the null'
      return this.#fault(node.pointer, 'required', why)
    }
    const reason = isNullable
      ? 'it is optional; null stands for its absence, and can mean nothing else'
      : 'it is optional; null stands for its absence'
    this.#note({ pointer: node.pointer, keyword: 'required', reason, effect: 'same' })
    return isNullable ? printed : orNull(printed)
  }
}

/** Joins the description of a union of one branch with the description of that branch. */
function joinedWords(said: JsonObject, { description }: JsonObject): JsonObject {
  const texts = [said['description'], description].filter((text) => text !== undefined)
  return texts.length < 2 ? said : { ...said, description: texts.join('\n') }
}

function titleIn({ title }: JsonObject): JsonObject {
  return typeof title === 'string' ? { title } : {}
}

function typeOfAll(values: readonly unknown[]): unknown {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  return types.length === 1 ? types[0] : types
}

const NULL = { type: 'null' }

/** The schema, extended by null. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf, ...rest } = schema
  if (Array.isArray(anyOf)) return { anyOf: [...(anyOf as unknown[]), NULL], ...rest }
  const types: readonly unknown[] = [type].flat()
  if (Array.isArray(values))
    return { type: [...types, 'null'], enum: [...(values as unknown[]), null], ...rest }
  const isSimple = type !== undefined && type !== 'object' && type !== 'array'
  return isSimple ? { type: [...types, 'null'], ...rest } : { anyOf: [schema, NULL] }
}
