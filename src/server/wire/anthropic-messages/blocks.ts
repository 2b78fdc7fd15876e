import {
  type FinishReason,
  isObject,
  type JsonObject,
  type MessageMetadata,
  type SourcePart,
  type Usage,
} from '@braidwork/plugin'
import { isLink, type RunFacts, withSafeAddresses } from '../index.ts'

/** What is known of an answer when it begins. */
export function messageHead({ messageId, model }: RunFacts) {
  return { id: `msg_${messageId}`, type: 'message', role: 'assistant', model } as const
}

/** What the provider of this very API said of a part or a message; no other's is of use here. */
export function ownFacts(
  metadata: { readonly [provider: string]: unknown } | undefined,
): JsonObject {
  const own = metadata?.['anthropic']
  return isObject(own) ? own : {}
}

/** The block that a part was. */
export function ownBlock(
  metadata: { readonly [provider: string]: unknown } | undefined,
): JsonObject {
  const { block } = ownFacts(metadata)
  return isObject(block) ? block : {}
}

/** The signature of a thinking block; one that has none is sent back without any effect. */
export function signatureIn({ signature }: JsonObject): string {
  return typeof signature === 'string' ? signature : ''
}

/** Thinking that only its model can read. */
export function redactedBlock({ type, data }: JsonObject): object | undefined {
  return type === 'redacted_thinking' && typeof data === 'string' ? { type, data } : undefined
}

/** The places that a text cites, as this API wrote them; of the web, those that a page may link to. */
export function citationsIn({ citations }: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(citations)) return []
  return citations
    .filter(isObject)
    .filter(({ url }) => typeof url !== 'string' || isLink(url))
    .map(withSafeAddresses)
}

/** A page that a text rests on. What seals it, only the API itself could say. */
export function citationOf({ url, title, citedText }: SourcePart): object | undefined {
  if (url === undefined || !isLink(url)) return undefined
  return {
    type: 'web_search_result_location',
    cited_text: typeof citedText === 'string' ? citedText : '',
    encrypted_index: '',
    title: title ?? null,
    url,
  }
}

/** A call's arguments; the API has no word for what is no object. */
export function inputOf(input: unknown): object {
  return isObject(input) ? input : { INVALID_JSON: input }
}

const REASONS: { readonly [R in FinishReason]?: string } = {
  length: 'max_tokens',
  'content-filter': 'refusal',
}

/** Why it ended. Calls that the client has not seen are none to it. */
export function stopOf(
  reason: FinishReason,
  calls: number,
  metadata: MessageMetadata | undefined,
): { readonly stop_reason: string; readonly stop_sequence: string | null } {
  const { stopSequence } = ownFacts(metadata)
  if (reason === 'stop' && typeof stopSequence === 'string') {
    return { stop_reason: 'stop_sequence', stop_sequence: stopSequence }
  }
  const known = reason === 'tool-calls' && calls > 0 ? 'tool_use' : REASONS[reason]
  return { stop_reason: known ?? 'end_turn', stop_sequence: null }
}

/** Input without what was cached. Counts that are not known are 0: clients add them up. */
export function usageOf({ input = 0, output = 0, ...more }: Usage) {
  const { cacheRead = 0, cacheWrite = 0, reasoning } = more
  return {
    input_tokens: Math.max(0, input - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  }
}
