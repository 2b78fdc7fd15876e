import type { JsonObject } from '@braidwork/plugin'

/** The longest text of a schema that is kept, and the most of all texts together, in UTF-16 code units. */
const LONGEST = 262_144
const MOST = 2_097_152

/** Schemas by their JSON. The one that was not asked for the longest time comes first. */
const kept = new Map<string, JsonObject>()
let total = 0
const isKept = new WeakSet<JsonObject>()

/**
 * Returns the same object for equal schemas, so that what is made of a schema can be found by it. Plugins and clients
 * often write the same schema anew for each request. A long schema, and one that is not JSON, is returned as it is.
 */
export function sameSchema(schema: JsonObject): JsonObject {
  if (isKept.has(schema)) return schema
  const text = textOf(schema)
  if (text === undefined || text.length > LONGEST) return schema
  const same = kept.get(text) ?? schema
  if (!kept.delete(text)) total += text.length
  kept.set(text, same)
  isKept.add(same)
  for (const unused of kept.keys()) {
    if (total <= MOST) break
    kept.delete(unused)
    total -= unused.length
  }
  return same
}

function textOf(schema: JsonObject): string | undefined {
  try {
    return JSON.stringify(schema)
  } catch {
    // A circle, or deeper than the call stack.
    return undefined
  }
}
