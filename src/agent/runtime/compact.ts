import type { Host } from '@braidwork/core'
import { stackLayers } from '@braidwork/core/internal'
import type { Message, ModelInfo } from '@braidwork/plugin'
import {
  type AskModel,
  type CompactedMessages,
  type CompactionSection,
  compactionPolicyOf,
  compactMessages,
  summaryModelOf,
  textOnly,
} from '../compaction/index.ts'
import { tokensIn } from '../estimated-tokens.ts'
import type { PlannedAgent } from './agent-plan.ts'

/** Messages to compact. */
export interface CompactOptions {
  /** The messages of the conversation, those of an earlier compaction as they were returned. */
  readonly messages: readonly Message[]
  readonly signal?: AbortSignal
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
    host.send(
      textOnly(host, stackLayers(config, layer)),
      [...prompt, message],
      signal ? { signal } : {},
    )
  const facts = await host.modelInfo(config).catch((): ModelInfo => ({}))
  const summary = await summaryModelOf(host, config, section)
  const room = { ...facts, ...modelInfo, taken: tokensIn(prompt), ...(summary && { summary }) }
  return compactMessages(messages, compactionPolicyOf(section, agent.context_policy, room), ask)
}
