import type { JsonObject } from '@braidwork/plugin'

/** A part of a schema as a schema of its own, with the definitions that its references name. */
export function withDefinitions(part: JsonObject, whole: JsonObject): JsonObject {
  const { $defs, definitions } = whole
  return { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}), ...part }
}
