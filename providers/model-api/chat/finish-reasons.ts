import type { FinishReason } from '@braidwork/plugin'

/** The words of servers for why an answer ended, in lower case: those of OpenAI, and those of other vendors. */
const REASONS: { readonly [reason in FinishReason]?: readonly string[] } = {
  stop: ['stop', 'end_turn', 'eos', 'stop_sequence'],
  length: ['length', 'max_tokens', 'model_length'],
  'tool-calls': ['tool_calls', 'function_call', 'tool_use'],
  'content-filter': [
    'content_filter',
    'safety',
    'prohibited_content',
    'recitation',
    'blocklist',
    'spii',
    'sensitive',
  ],
  error: ['error', 'insufficient_system_resource', 'network_error'],
}

const BY_WORD: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(REASONS).flatMap(([reason, words]) =>
    words.map((word) => [word, reason as FinishReason] as const),
  ),
)

/** The reason for the end of an answer. A server may add details to its word, as in `content_filter: SAFETY`. */
export function finishReasonIn(said: unknown): FinishReason {
  const [word = ''] = String(said).toLowerCase().split(':')
  return BY_WORD.get(word) ?? 'other'
}
