import { isObject, type JsonObject } from '@braidwork/plugin'
import type { Lost } from './lost.ts'
import type { StrictRules } from './strict-schema.ts'

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
const FORMATS = new Set('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '))

export const ANTHROPIC: StrictRules = {
  hasBound: (keyword, value) => {
    if (keyword === 'format') return FORMATS.has(String(value))
    return keyword === 'minItems' && (value === 0 || value === 1)
  },
  requiresAll: false,
  takesNulls: true,
  hasRecursion: false,
  typesValues: false,
}

/** The API's limits for the strict tools of one request. */
const MOST_TOOLS = 20
const MOST_OPTIONAL = 24
const MOST_UNIONS = 16

/** Counts how much of the API's limits the strict tools of one request have used. */
export class AnthropicBudget {
  #tools = 0
  #optional = 0
  #unions = 0

  /** Counts a schema. Returns the reason if it exceeds the limits together with the schemas before it. */
  take(schema: JsonObject): Lost | undefined {
    const { optional, unions } = countedIn(schema)
    const reason = this.#excess(optional, unions)
    if (reason !== undefined) return { pointer: '', keyword: 'strict', reason, effect: 'same' }
    this.#tools += 1
    this.#optional += optional
    this.#unions += unions
    return undefined
  }

  #excess(optional: number, unions: number): string | undefined {
    if (this.#tools >= MOST_TOOLS) return `more than ${MOST_TOOLS} strict tools in a request`
    if (this.#optional + optional > MOST_OPTIONAL)
      return `more than ${MOST_OPTIONAL} optional members in the strict tools of a request`
    if (this.#unions + unions > MOST_UNIONS)
      return `more than ${MOST_UNIONS} unions in the strict tools of a request`
    return undefined
  }
}

interface Counted {
  readonly optional: number
  readonly unions: number
}

function countedIn(schema: unknown): Counted {
  if (!isObject(schema)) return { optional: 0, unions: 0 }
  const { properties, $defs, items, anyOf, required } = schema
  const members = isObject(properties) ? Object.values(properties) : []
  const needed = Array.isArray(required) ? required.length : 0
  const branches: readonly unknown[] = Array.isArray(anyOf) ? anyOf : []
  const named = isObject($defs) ? Object.values($defs) : []
  const own = { optional: members.length - needed, unions: branches.length > 0 ? 1 : 0 }
  return [...members, ...named, ...branches, items].reduce<Counted>((sum, inner) => {
    const { optional, unions } = countedIn(inner)
    return { optional: sum.optional + optional, unions: sum.unions + unions }
  }, own)
}

const NAME = /^[a-zA-Z0-9_.-]{1,64}$/

/** Removes the arguments whose names the API does not allow. */
export function withTakenNames(schema: JsonObject): {
  readonly schema: JsonObject
  readonly lost: readonly Lost[]
} {
  const { properties, required } = schema
  const names = Object.keys(isObject(properties) ? properties : {})
  const refused = names.filter((name) => !NAME.test(name))
  if (refused.length === 0) return { schema, lost: [] }
  const kept = Object.entries(properties as JsonObject).filter(([name]) => NAME.test(name))
  const needed = Array.isArray(required) ? required.filter((name) => !refused.includes(name)) : []
  const reason = `arguments whose names do not match ${NAME.source}: ${refused
    .map((name) => JSON.stringify(name))
    .join(', ')
    .slice(0, 200)}`
  return {
    schema: { ...schema, properties: Object.fromEntries(kept), required: needed },
    lost: [{ pointer: '/properties', keyword: 'properties', reason, effect: 'wider' }],
  }
}
