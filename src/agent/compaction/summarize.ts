import type { ConfigLayer, Host, Result } from '@braidwork/core'
import { hostCalls, stackLayers } from '@braidwork/core/internal'
import { HostError, type Message, textOf } from '@braidwork/plugin'
import { tokensIn, tokensOf } from '../estimated-tokens.ts'
import { toolless } from '../without-tools.ts'
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
  if (answer.messages.some(isCut)) throw failed('it is cut off at its longest length')
  return summary
}

/** A summary that ends in the middle has lost what it would have said next. */
function isCut({ metadata }: Message): boolean {
  return metadata?.finishReason === 'length'
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

/**
 * The layer over a config under which a model is asked for nothing but text: no tools, and no features, which would
 * change the messages.
 */
export function textOnly(host: Host, config: ConfigLayer): ConfigLayer {
  return stackLayers(config, toolless(host, config, ['feature']), { tool_choice: 'auto' })
}
