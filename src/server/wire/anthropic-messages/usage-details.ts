import { isObject, type JsonObject, type Message } from '@braidwork/plugin'

/** What Anthropic's API counts beside tokens: by lifetime of the cache, and calls of its own tools. */
const COUNTS = ['cache_creation', 'server_tool_use'] as const

/** Returns the parts of a usage that only Anthropic's API reports, of all steps together. */
export function usageDetails(messages: readonly Pick<Message, 'metadata'>[]): JsonObject {
  const details: { [name: string]: unknown } = {}
  for (const { metadata } of messages) {
    const raw = metadata?.usage?.raw
    if (!isObject(raw) || raw['cache_creation_input_tokens'] === undefined) continue
    for (const name of COUNTS) {
      if (isObject(raw[name])) details[name] = sumOf(details[name], raw[name])
    }
    if (typeof raw['service_tier'] === 'string') details['service_tier'] = raw['service_tier']
  }
  return details
}

function sumOf(known: unknown, more: JsonObject): JsonObject {
  const sum: { [name: string]: number } = isObject(known) ? { ...(known as typeof sum) } : {}
  for (const [name, count] of Object.entries(more)) {
    if (Number.isSafeInteger(count)) sum[name] = (sum[name] ?? 0) + Number(count)
  }
  return sum
}
