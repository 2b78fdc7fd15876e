import { isObject, type JsonObject } from '@braidwork/plugin'

/** Keywords whose values are data: `$ref` in them is not a reference. */
export const DATA = new Set(['const', 'enum', 'default', 'examples'])
/** Keywords whose values map names of any kind to schemas. */
export const NAMED = new Set(
  'properties patternProperties $defs definitions dependentSchemas dependencies'.split(' '),
)

/** How many references one check may follow, at least, and how many for each part of a large value. */
const MOST_REFERENCES = 4_000
const MOST_PER_PART = 100
/** How many alternatives one check may try, at least: a single list of fixed values may have thousands. */
const MOST_BRANCHES = 200_000
/** Unions with fewer alternatives are not counted: their checks take as long as the value is large. */
const FEW_BRANCHES = 10

const COUNTED = 'x-counted-reference'
const COUNTED_BRANCHES = 'x-counted-branches'

interface Limit {
  readonly name: string
  readonly least: number
}

/** The keyword that counts a reference. It runs before `$ref`, because a failing check would skip it afterwards. */
export const COUNTING = { keyword: COUNTED, before: '$ref', schema: false, errors: false } as const

/** The keyword that counts the alternatives of a union, before they are tried. */
export const COUNTING_BRANCHES = {
  keyword: COUNTED_BRANCHES,
  before: '$ref',
  schemaType: 'number',
  errors: false,
} as const

/** Adds the counting keywords beside each reference and each union of many alternatives. */
export function withCounts(schema: JsonObject): JsonObject {
  return counted(schema) as JsonObject
}

function counted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(counted)
  if (!isObject(value)) return value
  const isReference = ['$ref', '$dynamicRef'].some((key) => typeof value[key] === 'string')
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (DATA.has(key)) return [key, inner]
    return [key, NAMED.has(key) && isObject(inner) ? eachCounted(inner) : counted(inner)]
  })
  if (isReference) entries.push([COUNTED, true])
  const branches = [value['anyOf'], value['oneOf']].reduce<number>(
    (sum, one) => sum + (Array.isArray(one) ? one.length : 0),
    0,
  )
  if (branches >= FEW_BRANCHES) entries.push([COUNTED_BRANCHES, branches])
  return Object.fromEntries(entries)
}

function eachCounted(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, counted(one)]))
}

/** Counts the steps of one kind in the check of one value, and ends the check where they multiply. */
class Tally {
  readonly #limit: Limit
  #done = 0
  #most = 0
  #value: unknown

  constructor(limit: Limit) {
    this.#limit = limit
  }

  begin(value: unknown): void {
    this.#done = 0
    this.#most = this.#limit.least
    this.#value = value
  }

  /** @throws {Error} if there are more steps than the size of the value justifies */
  add(steps: number): true {
    this.#done += steps
    if (this.#done <= this.#most) return true
    const { least, name } = this.#limit
    const enough = Math.max(least, MOST_PER_PART * partsOf(this.#value))
    if (this.#done > enough)
      throw new Error(`the ${name} of its schema lead to more than ${enough} checks`)
    this.#most = enough
    return true
  }
}

/**
 * Counts what the check of one value does: references that multiply must not hang the check, and neither must a long list
 * whose items have very many alternatives.
 */
export class CheckWork {
  readonly #references = new Tally({ name: 'references', least: MOST_REFERENCES })
  readonly #branches = new Tally({ name: 'alternatives', least: MOST_BRANCHES })

  begin(value: unknown): void {
    this.#references.begin(value)
    this.#branches.begin(value)
  }

  readonly follow = (): true => this.#references.add(1)

  /** Each alternative may check each part of the value. */
  readonly branch = (branches: number, value: unknown): true =>
    this.#branches.add(branches * (1 + lengthOf(value)))
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : 0
}

/** Counts the parts of a value. It is not recursive, because the value may be nested deeper than the call stack. */
export function partsOf(value: unknown): number {
  const left = [value]
  let parts = 0
  for (; left.length > 0; parts++) {
    const one = left.pop()
    if (typeof one === 'object' && one !== null)
      for (const inner of Object.values(one)) left.push(inner)
  }
  return parts
}
