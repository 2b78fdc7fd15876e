import { findJsonFault, isObject, type JsonFault } from '@braidwork/plugin'

/** JSON, or the place where a value is none. */
type PlainJson = { readonly value: unknown } | { readonly fault: JsonFault }

/** The deepest level that is converted. What is deeper is no JSON for the host. */
const DEEPEST = 200

/**
 * A value of a plugin as JSON. One with `toJSON`, such as a date, counts as the result of that, and an instance of a
 * class as its fields, if it has any. Maps, sets, errors, bytes and the like stay as they are, and are no JSON.
 */
export function plainJson(given: unknown): PlainJson {
  if (!findJsonFault(given)) return { value: given }
  const value = plain(given, { key: '', depth: 0, known: new Map() })
  const fault = findJsonFault(value)
  return fault ? { fault } : { value }
}

interface Place {
  readonly key: string
  readonly depth: number
  /** What values have become. A value that contains itself stays as it is there. */
  readonly known: Map<object, unknown>
}

function plain(given: unknown, { key, depth, known }: Place): unknown {
  if (typeof given !== 'object' || given === null || depth > DEEPEST) return given
  if (known.has(given)) return known.get(given)
  known.set(given, given)
  const made = copyOf(given, { key, depth: depth + 1, known })
  known.set(given, made)
  return made
}

function copyOf(given: object, place: Place): unknown {
  const { toJSON } = given as { readonly toJSON?: unknown }
  if (typeof toJSON === 'function' && !isBytes(given)) {
    return plain(Reflect.apply(toJSON, given, [place.key]), place)
  }
  if (Array.isArray(given))
    return given.map((inner, index) => plain(inner, { ...place, key: String(index) }))
  const members = Object.entries(given)
  if (!isObject(given) && (members.length === 0 || !hasFields(given))) return given
  // Object.fromEntries keeps "__proto__" as a member, which is refused afterwards.
  return Object.fromEntries(
    members.map(([key, inner]) => [key, plain(inner, { ...place, key })] as const),
  )
}

/** Bytes have a toJSON in Node, which makes a list of numbers of them. */
function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value)
}

/** Whether a value is an instance of a class of the program, not of one such as Map, whose content is not in its fields. */
function hasFields(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]'
}
