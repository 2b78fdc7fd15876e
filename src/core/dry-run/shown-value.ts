import { isObject, type JsonObject } from '@braidwork/plugin'

/** The native request of a model API is never nested as deeply. */
const DEEPEST = 200

/**
 * Copies a value as JSON that may be shown: its texts and keys go through `mask`. What JSON cannot carry becomes a text
 * that names it, such as `[object Uint8Array]`.
 */
export function shownValue(value: unknown, mask: (text: string) => string): unknown {
  const above = new Set<object>()
  const copy = (inner: unknown): unknown => {
    if (typeof inner === 'string') return mask(inner)
    if (inner === null || typeof inner === 'boolean' || Number.isFinite(inner)) return inner
    if (!Array.isArray(inner) && !isObject(inner)) return Object.prototype.toString.call(inner)
    if (above.has(inner) || above.size >= DEEPEST) return '[…]'
    above.add(inner)
    const copied = Array.isArray(inner) ? inner.map(copy) : copyMembers(inner)
    above.delete(inner)
    return copied
  }
  const copyMembers = (object: JsonObject): unknown => {
    const present = Object.entries(object).filter(([, inner]) => inner !== undefined)
    return Object.fromEntries(present.map(([key, inner]) => [mask(key), copy(inner)]))
  }
  return copy(value)
}
