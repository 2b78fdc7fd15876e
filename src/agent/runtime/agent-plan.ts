import type { ConfigLayer, Host, OpenOptions } from '@braidwork/core'
import { type Message, type MessagesInput, type ModelInfo, toMessages } from '@braidwork/plugin'
import { type RunStream, run } from '../loop.ts'
import type { RunOptions } from '../run-options.ts'
import { type AgentSpec, modelInfoOf } from '../specs/index.ts'
import { lookUpAgent, type Registries, reasonFor, withholding } from './resolve-agent.ts'

/**
 * What a run takes from an agent. It comes from the registries alone: the run opens the config, once, and with that
 * resolves the agent's plugins and tools.
 */
export interface AgentPlan {
  /** The layer over the host's config. */
  readonly config: ConfigLayer
  /** The messages in front of those of a run: the system prompt. */
  readonly prompt: readonly Message[]
  /** Says why the catalog of the agent leaves out a tool, as the option of `host.open` does. */
  readonly withholds?: OpenOptions['withholds']
  /** The facts that the spec of the model states. */
  readonly modelInfo?: ModelInfo
  /** The spec, as far as the hooks of features see it. */
  readonly agent?: AgentSpec
  readonly active?: NonNullable<RunOptions['active']>
  readonly stopConditions?: NonNullable<RunOptions['stopConditions']>
}

/** The plan of an agent that has a spec. */
export interface PlannedAgent extends AgentPlan {
  readonly agent: AgentSpec
}

/** Plans the next run of an agent. @throws {HostError} AGENT_NOT_FOUND and the other errors of the look-up */
export function planAgent(registries: Registries, id: string): PlannedAgent {
  const { spec, model, config } = lookUpAgent(registries, id)
  return {
    config,
    prompt: promptOf(spec),
    withholds: withholding(reasonFor(registries, spec)),
    ...(model ? { modelInfo: modelInfoOf(model) } : {}),
    agent: spec,
    ...(spec.active_hook_filter ? { active: spec.active_hook_filter } : {}),
    ...(spec.stop_conditions ? { stopConditions: spec.stop_conditions } : {}),
  }
}

/** Begins a run as planned. What is wrong with the agent's plugins, settings or tools ends the run. */
export function runPlan(
  host: Host,
  plan: AgentPlan,
  options: Omit<RunOptions, keyof AgentPlan>,
): RunStream {
  const { prompt, ...rest } = plan
  return run(host, { ...options, ...rest, messages: prompted(prompt, options.messages) })
}

/** Puts the prompt in front of messages. What is no message is left for the run to refuse, which never throws. */
function prompted(prompt: readonly Message[], messages: MessagesInput): MessagesInput {
  if (prompt.length === 0 || messages.length === 0) return messages
  if (typeof messages === 'string') return [...prompt, ...toMessages(messages)]
  return Array.isArray(messages) ? [...prompt, ...messages] : messages
}

function promptOf({ system_prompt: text }: AgentSpec): readonly Message[] {
  return text === undefined ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }]
}
