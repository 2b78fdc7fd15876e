import type { Host } from '@braidwork/core'
import { refuseUnknown } from '@braidwork/core/internal'
import { HostError, isObject, type Message, type ModelInfo, toMessages } from '@braidwork/plugin'
import {
  type AskModel,
  type CompactedMessages,
  type CompactionSection,
  compactionPolicyOf,
  compactMessages,
  summaryModelOf,
} from '../compaction/index.ts'
import { tokensIn } from '../estimated-tokens.ts'
import { textOnly } from '../text-only.ts'
import type { PlannedAgent } from './agent-plan.ts'

/** Messages to compact. */
export interface CompactOptions {
  /** The messages of the conversation, those of an earlier compaction as they were returned. */
  readonly messages: readonly Message[]
  readonly signal?: AbortSignal
}

const OPTIONS = ['messages', 'signal'] satisfies (keyof CompactOptions)[]

/** Checks options that may come from untyped code. @throws {HostError} OPTION_INVALID, MESSAGES_INVALID */
export function compactOptions(options: unknown): CompactOptions {
  if (!isObject(options)) {
    const message = 'runtime.compact takes the id of an agent and options, such as { messages }.'
    throw new HostError('OPTION_INVALID', message)
  }
  refuseUnknown('runtime.compact', options, OPTIONS)
  const { messages: given, signal } = options as Partial<CompactOptions>
  // Of no messages none can be compacted, which is an error with a code of its own.
  const messages = Array.isArray(given) && given.length === 0 ? [] : toMessages(given)
  return { messages, ...(signal ? { signal } : {}) }
}

/**
 * Compacts messages as the spec of an agent says, by the agent's model.
 * @throws {HostError} as `compactMessages`
 */
export async function compactFor(
  host: Host,
  { agent, config, prompt, modelInfo }: PlannedAgent,
  { messages, signal }: CompactOptions,
): Promise<CompactedMessages> {
  const section = agent.sections?.['compaction'] as CompactionSection | undefined
  const ask: AskModel = (layer, message) =>
    host.send(textOnly(host, config, layer), [...prompt, message], signal ? { signal } : {})
  const facts = await host.modelInfo(config).catch((): ModelInfo => ({}))
  const summary = await summaryModelOf(host, config, section)
  const room = { ...facts, ...modelInfo, taken: tokensIn(prompt), ...(summary && { summary }) }
  return compactMessages(messages, compactionPolicyOf(section, agent.context_policy, room), ask)
}
