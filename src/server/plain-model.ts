import {
  type AgentPlan,
  delegateToolName,
  SPAWN,
  teamToolNames,
  toolless,
} from '@braidwork/agent/internal'
import type { ConfigLayer, Host } from '@braidwork/core'
import { stackLayers } from '@braidwork/core/internal'
import type { WireRequest } from './wire/index.ts'

/** Returns a config under which the model is offered no tools of the host. */
export function withoutHostTools(host: Host, config: ConfigLayer): ConfigLayer {
  return stackLayers(config, toolless(host, config))
}

const SETTINGS = ['tool_choice', 'parallel_tool_calls'] as const

/**
 * Removes the client's tools from a request, and adds the removed fields to those that the response reports as
 * ignored.
 */
export function withoutTools<R extends WireRequest>(request: R): R {
  const { tools, settings, ignored } = request
  const { tool_choice: _, parallel_tool_calls: _parallel, ...rest } = settings
  const left = SETTINGS.filter((name) => settings[name] !== undefined)
  const names = [...(tools.length > 0 ? ['tools'] : []), ...left]
  return { ...request, tools: [], settings: rest, ignored: [...ignored, ...names] }
}

/**
 * A plan with the tools of environment hooks, the delegates and the team that a request is offered: none where it is offered no
 * tools of the host, and none whose name a tool of the client has.
 */
export function withTools(
  { tools = [], delegates = [], hasSubagents = false, team, ...plan }: AgentPlan,
  isToolless: boolean,
  client: readonly { readonly name: string }[],
): AgentPlan {
  if (isToolless) return plan
  const taken = new Set(client.map(({ name }) => name))
  return {
    ...plan,
    tools: tools.filter(({ name }) => !taken.has(name)),
    hasSubagents: hasSubagents && !taken.has(SPAWN),
    delegates: delegates.filter(({ id }) => !taken.has(delegateToolName(id))),
    ...(team && !teamToolNames(team.team).some((name) => taken.has(name)) ? { team } : {}),
  }
}
