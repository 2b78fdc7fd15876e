import type { FinishReason, SourcePart, Usage } from '@braidwork/plugin'
import { defined, isLink, type RunFacts } from '../index.ts'

/** The properties that every chunk and every whole completion have. */
export function headOf(facts: RunFacts, object: string) {
  const { runId, createdAt, agent } = facts
  return { id: `chatcmpl-${runId}`, object, created: Math.floor(createdAt / 1000), model: agent }
}

const REASONS: { readonly [R in FinishReason]?: string } = {
  length: 'length',
  'content-filter': 'content_filter',
}

/** Returns the finish reason. A call that the client has not seen does not count. */
export function finishReasonOf(reason: FinishReason, calls: number): string {
  if (calls > 0 && reason === 'tool-calls') return 'tool_calls'
  return REASONS[reason] ?? 'stop'
}

/** Converts usage. Unknown counts are 0, because clients add them up. */
export function usageOf({ input = 0, output = 0, reasoning, cacheRead, cacheWrite }: Usage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: defined({
      cached_tokens: cacheRead ?? 0,
      cache_write_tokens: cacheWrite,
    }),
    completion_tokens_details: { reasoning_tokens: reasoning ?? 0 },
  }
}

/** Converts a source to an annotation of the text. `at` is the length of the text when the source arrived. */
export function annotationOf({ url, title }: SourcePart, at: number): object | undefined {
  if (url === undefined || !isLink(url)) return undefined
  const cited = { url, title: title ?? url, start_index: at, end_index: at }
  return { type: 'url_citation', url_citation: cited }
}
