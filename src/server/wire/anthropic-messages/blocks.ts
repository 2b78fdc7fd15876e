import {
  type FinishReason,
  isObject,
  type JsonObject,
  type Message,
  type MessageMetadata,
  type SourcePart,
  type Usage,
} from '@braidwork/plugin'
import {
  type HostCall,
  isLink,
  outputTextOf,
  type RunFacts,
  SERVER_LABEL,
  withSafeAddresses,
} from '../index.ts'
import { usageDetails } from './usage-details.ts'

/** The properties of a message that are known at its start. */
export function messageHead({ messageId, agent }: RunFacts) {
  return { id: `msg_${messageId}`, type: 'message', role: 'assistant', model: agent } as const
}

/**
 * Returns the metadata that the Anthropic provider attached to a part or message. That of other providers is of no
 * use here.
 */
export function ownFacts(
  metadata: { readonly [provider: string]: unknown } | undefined,
): JsonObject {
  const own = metadata?.['anthropic']
  return isObject(own) ? own : {}
}

/** Returns the original content block of a part. */
export function ownBlock(
  metadata: { readonly [provider: string]: unknown } | undefined,
): JsonObject {
  const { block } = ownFacts(metadata)
  return isObject(block) ? block : {}
}

/**
 * The signature of reasoning that has none of Anthropic's. Clients send thinking without a signature back as text, or
 * drop it. No model API gets this one.
 */
export const UNSIGNED = 'braidwork'

/** Returns the signature of a thinking block. */
export function signatureIn({ signature }: JsonObject): string {
  return typeof signature === 'string' ? signature : ''
}

/** Returns a redacted thinking block, which only the model can read. */
export function redactedBlock({ type, data }: JsonObject): object | undefined {
  return type === 'redacted_thinking' && typeof data === 'string' ? { type, data } : undefined
}

/** Returns the citations of a text in the API's own form, without links that a page must not follow. */
export function citationsIn({ citations }: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(citations)) return []
  return citations
    .filter(isObject)
    .filter(({ url }) => typeof url !== 'string' || isLink(url))
    .map(withSafeAddresses)
}

/** Converts a source to a citation. `encrypted_index` stays empty, since only the API could set it. */
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

/** Returns the arguments of a call as an object, since the API allows no other type. */
export function inputOf(input: unknown): object {
  return isObject(input) ? input : { INVALID_JSON: input }
}

/**
 * Returns an end for the text of arguments that are broken, with which no client can read them. Clients complete JSON
 * that is cut off, so that broken arguments would be a proper call with some of them.
 */
export function unreadableEnd(text: string): string {
  let [at, isInString] = [0, false]
  for (; at < text.length; at++) {
    if (text[at] === '"') isInString = !isInString
    else if (text[at] === '\\' && isInString) at++
  }
  const isEscaping = at > text.length
  const quote = isInString ? '"' : ''
  // Python's client reads up to a wrong character, but not past a comma without a key; TypeScript's stops at words.
  return `${isEscaping ? '"' : ''}${quote},:INVALID_JSON`
}

/**
 * How much of its thinking an answer has: all of it, blocks without their texts, or none. Clients that did not ask for it
 * take the first block for the text.
 */
export type ShownThinking = 'whole' | 'omitted' | 'none'

/** What a client of the API knows to read. */
export interface MessageOptions {
  /** By default the answer has its whole thinking. */
  readonly thinking?: ShownThinking
  /** Whether calls that the host ran are shown, with their results. Only beta clients know the blocks. */
  readonly showsHostCalls?: boolean
  /**
   * Whether a stream has the arguments of a call of this tool as the model writes them. By default it has them when they
   * are complete, because clients make a whole object of arguments that are cut off.
   */
  readonly streamsInput?: (name: string) => boolean
}

/**
 * Returns the blocks of a call that the host ran, and of its result. Of the API's blocks, those of calls to an MCP
 * server are the ones that clients show, and never answer.
 */
export function hostCallBlocks({ call, result }: HostCall): readonly [object, object] {
  const { callId, name } = call
  const text = { type: 'text', text: outputTextOf(result) }
  return [
    {
      type: 'mcp_tool_use',
      id: callId,
      name,
      server_name: SERVER_LABEL,
      // Clients of streams read no deltas of it.
      input: inputOf(call.input),
    },
    {
      type: 'mcp_tool_result',
      tool_use_id: callId,
      is_error: result.isError === true,
      content: [text],
    },
  ]
}

const REASONS: { readonly [R in FinishReason]?: string } = {
  length: 'max_tokens',
  'content-filter': 'refusal',
}

/** The stop sequence that a provider named in the metadata of its answer. */
function stopSequenceIn(metadata: MessageMetadata = {}): string | undefined {
  for (const facts of Object.values(metadata)) {
    if (isObject(facts) && typeof facts['stopSequence'] === 'string') return facts['stopSequence']
  }
  return undefined
}

/** Returns why a message ended. A call that the client has not seen does not count as tool use. */
export function stopOf(
  reason: FinishReason,
  calls: number,
  metadata: MessageMetadata | undefined,
): { readonly stop_reason: string; readonly stop_sequence: string | null } {
  const stopSequence = stopSequenceIn(metadata)
  if (reason === 'stop' && stopSequence !== undefined) {
    return { stop_reason: 'stop_sequence', stop_sequence: stopSequence }
  }
  const known = reason === 'tool-calls' && calls > 0 ? 'tool_use' : REASONS[reason]
  return { stop_reason: known ?? 'end_turn', stop_sequence: null }
}

/**
 * Converts usage. Cached tokens are subtracted from the input. Unknown counts are 0, because clients add them up.
 */
export function usageOf(
  { input = 0, output = 0, ...more }: Usage,
  messages: readonly Pick<Message, 'metadata'>[] = [],
) {
  const { cacheRead = 0, cacheWrite = 0, reasoning } = more
  return {
    input_tokens: Math.max(0, input - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
    ...usageDetails(messages),
  }
}
