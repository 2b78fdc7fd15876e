import { type Usage as HostUsage, isObject, type Message } from '@braidwork/plugin'
import type { FinishReason, JsonRecord, ResponseFacts, Usage } from './answer-types.ts'

/** Why an answer ended. The reason in the words of the model API is not known to the host. */
export function reasonOf(unified: FinishReason['unified']): FinishReason {
  return { unified, raw: undefined }
}

/** The tokens of an answer. Counts that the model API did not tell are undefined. */
export function usageOf({
  input,
  output,
  reasoning,
  cacheRead,
  cacheWrite,
  raw,
}: HostUsage): Usage {
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (cacheRead ?? 0) - (cacheWrite ?? 0),
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : output - (reasoning ?? 0),
      reasoning,
    },
    ...(isObject(raw) ? { raw: raw as JsonRecord } : {}),
  }
}

/** The id and the model that the model API names for its answer. Undefined if it names neither. */
export function responseOf(metadata: Message['metadata'] = {}): ResponseFacts | undefined {
  const { responseId: id, model: modelId } = metadata
  const facts = {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof modelId === 'string' ? { modelId } : {}),
  }
  return Object.keys(facts).length > 0 ? facts : undefined
}
