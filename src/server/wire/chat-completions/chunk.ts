import type { FinishReason, SourcePart, Usage } from '@braidwork/plugin'
import { defined, isLink, type RunFacts } from '../index.ts'

/** What every chunk and every whole answer says of itself. */
export function headOf(facts: RunFacts, object: string) {
  const { runId, createdAt, model } = facts
  return { id: `chatcmpl-${runId}`, object, created: Math.floor(createdAt / 1000), model }
}

const REASONS: { readonly [R in FinishReason]?: string } = {
  length: 'length',
  'content-filter': 'content_filter',
}

/** Calls that the client has not seen are none to it. */
export function finishReasonOf(reason: FinishReason, calls: number): string {
  if (calls > 0 && reason === 'tool-calls') return 'tool_calls'
  return REASONS[reason] ?? 'stop'
}

/** Counts that are not known are 0: clients add them up. */
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

/** A page that the text rests on. `at` is how long the text was when it was named. */
export function annotationOf({ url, title }: SourcePart, at: number): object | undefined {
  if (url === undefined || !isLink(url)) return undefined
  const cited = { url, title: title ?? url, start_index: at, end_index: at }
  return { type: 'url_citation', url_citation: cited }
}
