import { tokensInAll, tokensOf } from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'
import type { WireRequest } from './wire/index.ts'

/** The header that tells clients that a number of tokens is no count of the model's own tokenizer. */
export const ESTIMATED = { 'x-braidwork-estimated': 'input_tokens' } as const

/** Estimates the tokens of messages, and of the tools that a client offers beside them. */
export async function estimatedTokens(
  messages: readonly Message[],
  tools: WireRequest['tools'],
): Promise<number> {
  return (await tokensInAll(messages)) + (tools.length > 0 ? tokensOf(JSON.stringify(tools)) : 0)
}
