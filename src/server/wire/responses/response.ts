import type { FinishEvent, FinishReason, SourcePart, Usage } from '@braidwork/plugin'
import { isLink, openAIMessage, type PublicError, type RunFacts } from '../index.ts'
import type { RepeatedFields } from './repeated.ts'

/** Properties of a response that its request decides. */
export interface ResponseAbout {
  readonly previousResponseId?: string
  readonly metadata?: { readonly [key: string]: unknown }
  readonly store?: boolean
  readonly background?: boolean
  /** The id of the conversation that the client named. */
  readonly conversationId?: string
  /** Whether all reasoning has an `encrypted_content`, for clients that send back no other. */
  readonly sealsReasoning?: boolean
  /** Fields that the response repeats. Responses that an earlier version stored have none. */
  readonly repeated?: RepeatedFields
}

type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

/** The properties of a response without its output. */
export function responseHead({ runId, createdAt, agent }: RunFacts, about: ResponseAbout) {
  const { previousResponseId = null, metadata = {}, store = false, background = false } = about
  const { conversationId: id, repeated = {} } = about
  return {
    id: `resp_${runId}`,
    object: 'response',
    access_programs: null,
    created_at: Math.floor(createdAt / 1000),
    status: 'in_progress' as Status,
    background,
    conversation: id === undefined ? null : { id },
    error: null as object | null,
    incomplete_details: null as object | null,
    instructions: null,
    max_output_tokens: null,
    model: agent,
    output: [] as readonly object[],
    parallel_tool_calls: true,
    previous_response_id: previousResponseId,
    reasoning: { effort: null, summary: null },
    store,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: null as object | null,
    user: null,
    metadata,
    ...repeated,
  }
}

export type ResponseHead = ReturnType<typeof responseHead>

const INCOMPLETE: { readonly [R in FinishReason]?: string } = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

/** A response that completed, or ended incomplete because of a limit or a filter. */
export function finishedResponse(
  head: ResponseHead,
  output: readonly object[],
  { finishReason, usage }: FinishEvent,
): ResponseHead {
  const reason = INCOMPLETE[finishReason]
  return {
    ...head,
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage: usageOf(usage),
  }
}

/** The error codes of the Responses API. All other errors are `server_error`. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['CONTEXT_OVERFLOW', 'context_length_exceeded'],
  ['INVALID_REQUEST', 'invalid_prompt'],
  ['MESSAGES_INVALID', 'invalid_prompt'],
  ['MODEL_UNKNOWN', 'invalid_prompt'],
  ['CONFIG_INVALID', 'invalid_prompt'],
  ['REQUEST_TOO_LARGE', 'invalid_prompt'],
  ['QUOTA_EXCEEDED', 'rate_limit_exceeded'],
  ['RATE_LIMITED', 'rate_limit_exceeded'],
])

/** A response that failed or was cancelled. */
export function failedResponse(
  head: ResponseHead,
  output: readonly object[],
  failure: PublicError,
): ResponseHead {
  const { code } = failure
  return {
    ...head,
    status: code === 'ABORTED' ? 'cancelled' : 'failed',
    error: { code: CODES.get(code) ?? 'server_error', message: openAIMessage(failure) },
    output,
  }
}

/** Converts usage. Unknown counts are 0, because clients add them up and some refuse an answer without one. */
function usageOf({ input = 0, output = 0, reasoning, cacheRead, cacheWrite }: Usage): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead ?? 0, cache_write_tokens: cacheWrite ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: input + output,
  }
}

/** Converts a source to an annotation at the end of a text with this length. */
export function annotationOf({ url, title }: SourcePart, length: number): object | undefined {
  if (url === undefined || !isLink(url)) return undefined
  const place = { start_index: length, end_index: length }
  return { type: 'url_citation', url, title: title ?? url, ...place }
}
