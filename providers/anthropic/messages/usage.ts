import { defined, objectsIn } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, type Usage } from '@braidwork/plugin'

/** Types of iterations of the model itself. Other types, such as an advisor's, belong to another model. */
const OWN = new Set<unknown>(['message', 'compaction'])

/**
 * Converts the API's usage. If it lists iterations, the result is their sum, because the API's own total omits
 * compactions. Input includes tokens read from or written to the cache.
 */
export function usageOf(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const rounds = roundsOf(raw)
  const sum = (key: string): number | undefined => {
    const counts = rounds.flatMap((round) => count(round[key]) ?? [])
    return counts.length > 0 ? counts.reduce((total, next) => total + next, 0) : undefined
  }
  const [input, cacheRead, cacheWrite] = [
    sum('input_tokens'),
    sum('cache_read_input_tokens'),
    sum('cache_creation_input_tokens'),
  ]
  const details = raw['output_tokens_details']
  return {
    ...defined({
      input: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
      output: sum('output_tokens'),
      reasoning: isObject(details) ? count(details['thinking_tokens']) : undefined,
      cacheRead,
      cacheWrite,
    }),
    raw,
  }
}

/** The usage entries to add up. After a fallback to another model only the total counts: the rest was refused. */
function roundsOf(raw: JsonObject): readonly JsonObject[] {
  const iterations = objectsIn(raw['iterations'])
  if (iterations.some(({ type }) => type === 'fallback_message')) return [raw]
  const own = iterations.filter(({ type }) => OWN.has(type))
  return own.length > 0 ? own : [raw]
}

/** A token count; `undefined` for anything but a whole number. */
function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}
