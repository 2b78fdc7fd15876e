import { validatorOf } from '@braidwork/core/internal'
import type { JsonObject } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'

/**
 * Why the default of a part of a schema is none of its values. Undefined if it is one, or there is none. Another check
 * tells of a schema that does not compile.
 */
export async function defaultFault(
  part: JsonObject,
  whole: JsonObject,
): Promise<string | undefined> {
  if (!('default' in part)) return undefined
  const validate = await validatorOrNone(withDefinitions(part, whole))
  const wrong = validate?.(part['default'])
  return wrong && asSentence(wrong.message)
}

async function validatorOrNone(schema: JsonObject) {
  try {
    return await validatorOf(schema)
  } catch {
    return undefined
  }
}

/** A part of a schema as a schema of its own, with the definitions that its references name. */
function withDefinitions(part: JsonObject, whole: JsonObject): JsonObject {
  const { $defs, definitions } = whole
  return { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}), ...part }
}
