import { isObject, type JsonObject } from '@braidwork/plugin'

/** Under these keys stands data, in which `$ref` is no reference. */
const DATA = new Set(['const', 'enum', 'default', 'examples'])
/** Under these keys stand schemas by names of any kind. */
const NAMED = new Set(
  'properties patternProperties $defs definitions dependentSchemas dependencies'.split(' '),
)

/** References that one check follows anyway, and for each part of a large value. */
const MOST_REFERENCES = 4_000
const MOST_PER_PART = 100

const COUNTED = 'x-counted-reference'

/** The keyword beside each reference that counts how often it is followed: before it is, for what fails ends there. */
export const COUNTING = { keyword: COUNTED, before: '$ref', schema: false, errors: false } as const

/** A schema in which each reference has that keyword beside it: without references no check grows beyond its schema. */
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

/** Counts the references that the check of one value follows, so that those that multiply do not hang it. */
export class CheckWork {
  #followed = 0
  #most = MOST_REFERENCES
  #value: unknown

  begin(value: unknown): void {
    this.#followed = 0
    this.#most = MOST_REFERENCES
    this.#value = value
  }

  /** @throws {Error} from the reference on that is one too many for the value */
  readonly follow = (): true => {
    if (++this.#followed <= this.#most) return true
    const enough = Math.max(MOST_REFERENCES, MOST_PER_PART * partsOf(this.#value))
    if (this.#followed > enough)
      throw new Error(`the references of its schema lead to more than ${enough} checks`)
    this.#most = enough
    return true
  }
}

/** By a list of what is left, not by calls: a value may be nested deeper than the stack. */
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
