import { folderInstructions } from '@braidwork/core/internal'
import { type Message, type TextPart, toMessages } from '@braidwork/plugin'
import {
  type AgentEnvironment,
  callerTools,
  completeEnvironment,
  type EnvironmentHooks,
  type EventFeed,
  guarded,
  wrappedInstructions,
} from '../environment-hooks/index.ts'
import type { RunOptions } from '../run-options.ts'
import { modelInfoOf } from '../specs/index.ts'
import { withholding } from './resolve-agent.ts'
import type { ResolvedAgent } from './resolved-agent.ts'

/** The options of an agent's run: those that its spec does not decide. */
export interface AgentRunOptions
  extends Omit<RunOptions, 'config' | 'withholds' | 'modelInfo' | 'onEvent'> {
  /** Who writes to the agent. The calls of environment hooks carry it. CT-07 */
  readonly sender?: string
}

/** What surrounds the runs of a runtime. */
export interface Surroundings {
  readonly hooks: EnvironmentHooks
  readonly environment: AgentEnvironment
  readonly feed: EventFeed
}

/**
 * The options of `run` for a resolved agent. A request is its history, its instructions and its tools, and nothing else.
 * CT-29
 * @throws {HostError} HOOK_FAILED
 */
export async function runOptionsOf(
  agent: ResolvedAgent,
  { sender, ...order }: AgentRunOptions,
  { hooks, environment, feed }: Surroundings,
): Promise<RunOptions> {
  const { spec, model, config, hookTools, reasonAgainst } = agent
  const { conversationId, tools = [], messages } = order
  const origin = { agent: spec.id, ...definedOf({ sender, conversationId }) }
  const history = await hooks.messagesFor(spec.id, conversationId, toMessages(messages))
  return {
    ...order,
    environment: order.environment ?? completeEnvironment(environment),
    config,
    messages: [
      ...(await promptOf(agent, conversationId, { hooks, environment, feed })),
      ...history,
    ],
    tools: [...callerTools(hookTools, hooks.all, origin), ...tools],
    withholds: withholding(reasonAgainst),
    ...(model ? { modelInfo: modelInfoOf(model) } : {}),
    onEvent: (event, warn) => {
      hooks.tell({ agent: spec.id, conversationId }, event, warn)
      guarded(
        () => environment.onAgentEvent?.(spec.id, conversationId, event),
        (cause) => warn(`"onAgentEvent" of the environment failed: ${String(cause)}`),
      )
      feed.publish({ agent: spec.id, ...definedOf({ conversationId }), event })
    },
  }
}

/** The system message: the agent's prompt, the scope lines of the hooks, and the instructions of the folder. */
async function promptOf(
  { spec }: ResolvedAgent,
  conversationId: string | undefined,
  { hooks, environment }: Surroundings,
): Promise<readonly Message[]> {
  const cwd = await environment.effectiveCwd?.(conversationId)
  const discover = environment.discoverInstructions?.bind(environment) ?? folderInstructions
  const files = cwd === undefined ? [] : await discover(cwd)
  const texts = [spec.system_prompt, await hooks.scope(), wrappedInstructions(files ?? [])]
  const parts = texts.flatMap((text): TextPart[] =>
    text === undefined ? [] : [{ type: 'text', text }],
  )
  return parts.length > 0 ? [{ role: 'system', parts }] : []
}

/** The members that are not undefined. */
function definedOf<T extends object>(members: T): { [key in keyof T]?: NonNullable<T[key]> } {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [key in keyof T]?: NonNullable<T[key]> }
}
