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

const COUNTED = 'x-counted-reference'

/** The keyword that counts a reference. It runs before `$ref`, because a failing check would skip it afterwards. */
export const COUNTING = { keyword: COUNTED, before: '$ref', schema: false, errors: false } as const

/** Adds the counting keyword beside each reference. Without references, a check cannot grow beyond its schema. */
export function withCounts(schema: JsonObject): JsonObject {
  return counted(schema) as JsonObject
}

function counted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(counted)
  if (!isObject(value)) return value
  const isReference = ['$ref', '$dynamicRef'].some((key) => typeof value[key] === 'string')
  const entries = Object.entries(value).map(([key, inner]) => {
    if (DATA.has(key)) return [key, inner] as const
    return [key, NAMED.has(key) && isObject(inner) ? eachCounted(inner) : counted(inner)] as const
  })
  return Object.fromEntries(isReference ? [...entries, [COUNTED, true] as const] : entries)
}

function eachCounted(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, counted(one)]))
}

/** Counts the references that the check of one value follows: references that multiply must not hang the check. */
export class CheckWork {
  #followed = 0
  #most = MOST_REFERENCES
  #value: unknown

  begin(value: unknown): void {
    this.#followed = 0
    this.#most = MOST_REFERENCES
    this.#value = value
  }

  /** @throws {Error} if the check follows more references than the size of the value justifies */
  readonly follow = (): true => {
    if (++this.#followed <= this.#most) return true
    const enough = Math.max(MOST_REFERENCES, MOST_PER_PART * partsOf(this.#value))
    if (this.#followed > enough)
      throw new Error(`the references of its schema lead to more than ${enough} checks`)
    this.#most = enough
    return true
  }
}

/** Counts the parts of a value. It is not recursive, because the value may be nested deeper than the call stack. */
function partsOf(value: unknown): number {
  const left = [value]
  let parts = 0
  for (; left.length > 0; parts++) {
    const one = left.pop()
    if (typeof one === 'object' && one !== null)
      for (const inner of Object.values(one)) left.push(inner)
  }
  return parts
}
