import type { JsonObject } from '@braidwork/plugin'

/** A branch of a JSON Schema: what holds for objects whose member has a value. */
export function schemaBranch(member: string, value: string, rules: JsonObject): JsonObject {
  return {
    if: { properties: { [member]: { const: value } }, required: [member] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: rules,
  }
}
