import type { ConfigLayer, Result } from '@braidwork/core'
import { hostCalls } from '@braidwork/core/internal'
import { type FinishReason, HostError, type Message, textOf } from '@braidwork/plugin'
import { tokensIn, tokensOf } from '../estimated-tokens.ts'
import type { CompactionPolicy } from './compaction-policy.ts'
import { pieceOf } from './pieces.ts'
import { transcriptOf } from './transcript.ts'

/** What a summary is to replace. */
export interface Summarized {
  readonly messages: readonly Message[]
  readonly previous?: string
}

/** Asks a model: the agent's own, in its config, and with its prompt in front. */
export type AskModel = (
  config: ConfigLayer,
  message: Message,
) => Promise<Pick<Result, 'messages' | 'usage'>>

/** The most requests for one summary. A conversation that takes more is far beyond what its model can work with. */
const MOST_REQUESTS = 32
/** Less room for messages than this is none. */
const LEAST_ROOM = 256

/**
 * Has a model write the summary of messages. Messages that do not fit into one request are summarized in pieces, each
 * with the summary of those before. CT-21
 * @throws {HostError} COMPACTION_FAILED if the model writes none, calls a tool, or saves too little, or if the messages
 * are too long for it; what `ask` throws
 */
export async function summarize(
  replaced: Summarized,
  policy: CompactionPolicy,
  ask: AskModel,
): Promise<string> {
  const { messages, previous } = replaced
  const most = longestSummary(replaced, policy)
  let summary = previous
  let left = transcriptOf(messages)
  for (let count = 0; count === 0 || left.length > 0; count++) {
    if (count === MOST_REQUESTS) throw failed(`it takes more than ${MOST_REQUESTS} requests`)
    const piece = pieceOf(left, roomFor(summary, policy))
    summary = await summaryBy(ask, policy, filled(policy.prompt, piece.taken, summary))
    if (tokensOf(summary) > most) {
      throw failed(`it saves less than ${policy.minSavings * 100}% of what it replaces`)
    }
    left = piece.left
  }
  return summary ?? ''
}

/** The most tokens of a summary that saves enough of what it replaces. */
export function longestSummary(
  { messages, previous = '' }: Summarized,
  policy: CompactionPolicy,
): number {
  return (tokensIn(messages) + tokensOf(previous)) * (1 - policy.minSavings)
}

/** The tokens that a request for a summary has for messages. */
function roomFor(previous: string | undefined, policy: CompactionPolicy): number {
  const { prompt, summaryRoom: room } = policy
  const left = room - tokensOf(filled(prompt, [], previous))
  if (left >= LEAST_ROOM) return left
  throw failed(`the context of its model, ${room} tokens, has no room for messages`)
}

async function summaryBy(ask: AskModel, policy: CompactionPolicy, text: string): Promise<string> {
  const { summaryTokens, summaryModel } = policy
  const config: ConfigLayer = {
    max_output_tokens: summaryTokens,
    ...(summaryModel === undefined ? {} : { model: summaryModel }),
  }
  const answer = await ask(config, { role: 'user', parts: [{ type: 'text', text }] })
  if (hostCalls(answer.messages).length > 0) throw failed('it calls a tool')
  const summary = answer.messages.map(textOf).join('').trim()
  if (summary === '') throw failed('it is empty')
  for (const { metadata } of answer.messages) {
    const why = UNFINISHED[metadata?.finishReason ?? 'other']
    if (why !== undefined) throw failed(why)
  }
  return summary
}

/** Why a summary cannot be used that the model did not end itself. Some servers name no reason, which is `other`. */
const UNFINISHED: { readonly [R in FinishReason]: string | undefined } = {
  stop: undefined,
  other: undefined,
  length: 'it is cut off at its longest length',
  'tool-calls': 'it calls a tool',
  'content-filter': 'the model API has filtered it',
  error: 'the model API ended it with an error',
}

function failed(why: string): HostError {
  const message = `The summary of the conversation cannot be used: ${why}. The conversation is as it was.`
  return new HostError('COMPACTION_FAILED', message)
}

/**
 * Puts lines and a summary into a prompt, each once and none into another. A prompt without a place for the summary
 * gets it in front of the lines: nothing else has what it says.
 */
function filled(prompt: string, lines: readonly string[], summary: string | undefined): string {
  const previous =
    summary === undefined ? '' : `<previous_summary>\n${summary}\n</previous_summary>`
  const hasPlace = prompt.includes('{previous_summary}') || summary === undefined
  const messages = [...(hasPlace ? [] : [previous]), ...lines].join('\n')
  const values: { readonly [name: string]: string } = { messages, previous_summary: previous }
  return prompt.replace(/\{(messages|previous_summary)\}/g, (_, name: string) => values[name] ?? '')
}
