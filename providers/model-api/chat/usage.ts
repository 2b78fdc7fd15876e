import { isObject, type JsonObject, type Usage } from '@braidwork/plugin'
import { defined } from '../json.ts'

/** A token count; `undefined` for anything but a whole number. */
function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

/** Usage of chat completions or responses, which differ only in field names; `undefined` if there is none. */
export function usageOf(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const inputDetails =
    raw['input_tokens_details'] ?? raw['prompt_tokens_details'] ?? raw['prompt_token_details']
  const outputDetails = raw['output_tokens_details'] ?? raw['completion_tokens_details']
  const read = isObject(inputDetails) ? inputDetails : {}
  const written = isObject(outputDetails) ? outputDetails : {}
  const input = count(raw['input_tokens'] ?? raw['prompt_tokens'])
  const output = count(raw['output_tokens'] ?? raw['completion_tokens'])
  const reasoning = count(written['reasoning_tokens'])
  return {
    ...defined({
      input,
      output: outputWith(reasoning, { input, output, total: count(raw['total_tokens']) }),
      reasoning,
      cacheRead: count(read['cached_tokens'] ?? cachedBeside(raw)),
      cacheWrite: count(read['cache_write_tokens']),
    }),
    raw,
  }
}

/** The cached input tokens that a server reports outside of the details, under one of several names. */
function cachedBeside(raw: JsonObject): unknown {
  return raw['prompt_cache_hit_tokens'] ?? raw['num_cached_tokens'] ?? raw['cached_tokens']
}

interface Counts {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number | undefined
}

/** The output tokens. Some APIs count reasoning separately, which shows in their total. */
function outputWith(
  reasoning: number | undefined,
  { input, output, total }: Counts,
): number | undefined {
  if (!reasoning || input === undefined || output === undefined) return output
  return total === input + output + reasoning ? output + reasoning : output
}
