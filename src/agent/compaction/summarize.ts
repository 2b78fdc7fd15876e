import type { ConfigLayer, Host, Result } from '@braidwork/core'
import { hostCalls, stackLayers } from '@braidwork/core/internal'
import { HostError, type Message, textOf } from '@braidwork/plugin'
import { tokensIn, tokensOf } from '../estimated-tokens.ts'
import { toolless } from '../without-tools.ts'
import type { CompactionPolicy } from './compaction-policy.ts'
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

/**
 * Has a model write the summary of messages. CT-21
 * @throws {HostError} COMPACTION_FAILED if the model writes none, calls a tool, or saves too little; what `ask` throws
 */
export async function summarize(
  { messages, previous }: Summarized,
  policy: CompactionPolicy,
  ask: AskModel,
): Promise<string> {
  const { prompt, summaryTokens, summaryModel } = policy
  const text = filled(prompt, {
    messages: transcriptOf(messages),
    previous_summary:
      previous === undefined ? '' : `<previous_summary>\n${previous}\n</previous_summary>`,
  })
  const config: ConfigLayer = {
    max_output_tokens: summaryTokens,
    ...(summaryModel === undefined ? {} : { model: summaryModel }),
  }
  const answer = await ask(config, { role: 'user', parts: [{ type: 'text', text }] })
  if (hostCalls(answer.messages).length > 0) throw failed('it calls a tool')
  const summary = answer.messages.map(textOf).join('').trim()
  if (summary === '') throw failed('it is empty')
  if (answer.messages.some(isCut)) throw failed('it is cut off at its longest length')
  const before = tokensIn(messages) + tokensOf(previous ?? '')
  if (tokensOf(summary) > before * (1 - policy.minSavings)) {
    throw failed(`it saves less than ${policy.minSavings * 100}% of what it replaces`)
  }
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

/** Puts values into a text, each once and none into another. */
function filled(prompt: string, values: { readonly [name: string]: string }): string {
  return prompt.replace(/\{(messages|previous_summary)\}/g, (_, name: string) => values[name] ?? '')
}

/**
 * The layer over a config under which a model is asked for nothing but text: no tools, and no features, which would
 * change the messages.
 */
export function textOnly(host: Host, config: ConfigLayer): ConfigLayer {
  return stackLayers(config, toolless(host, config, ['feature']), { tool_choice: 'auto' })
}
