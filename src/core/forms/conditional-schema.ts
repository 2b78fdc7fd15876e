import type { JsonObject } from '@braidwork/plugin'

/** A JSON Schema by which a value that fits a condition must fit a further schema. */
export function conditionalSchema(condition: JsonObject, further: JsonObject): JsonObject {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: further }
}
