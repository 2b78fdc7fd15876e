import { objectsIn, type Repair, without } from '@braidwork/model-api/exchange'
import type { JsonObject } from '@braidwork/plugin'

/** The errors by which the API refuses an earlier answer's items that it does not have, or cannot read. */
const REFUSALS = [
  /Item with id '[^']{1,100}' not found/,
  /Item '[^']{1,100}' of type '[^']{1,100}' was provided without its required/,
  /^[^:]{1,100}: The encrypted content [^\n]{1,200} could not be verified/,
]

const STATUSES = new Set<unknown>([400, 404])

/**
 * The same body without reasoning, if the API refused that. It knows reasoning of answers that ended and that it stored,
 * and reads encrypted content of the same organization.
 */
export function withoutRefusedReasoning(body: JsonObject, refusal: unknown): Repair | undefined {
  const items = objectsIn(body['input'])
  if (!isRefusal(refusal) || !items.some(isReasoning)) return undefined
  const input = items.filter((item) => !isReasoning(item)).map(withoutId)
  return { body: { ...body, input }, warning: WARNING }
}

const WARNING = 'OpenAI refused the reasoning of earlier answers: it is left out.'

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('status' in error)) return false
  return STATUSES.has(error.status) && REFUSALS.some((refusal) => refusal.test(error.message))
}

export function isReasoning({ type }: JsonObject): boolean {
  return type === 'reasoning'
}

/** Items that the API takes without the id that it gave them. */
const NEED_NO_ID = new Set<unknown>(['message', 'function_call', 'custom_tool_call'])

/** An item as one that the API has not seen: it refuses one of its own whose reasoning is missing. */
export function withoutId(item: JsonObject): JsonObject {
  return NEED_NO_ID.has(item['type']) ? without(item, 'id') : item
}
