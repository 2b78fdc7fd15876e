import { type AgentPlan, delegateToolName, SPAWN } from '@braidwork/agent/internal'
import { type ConfigLayer, type Host, mergeLayers } from '@braidwork/core'
import { stackLayers } from '@braidwork/core/internal'
import type { JsonObject } from '@braidwork/plugin'
import type { WireRequest } from './wire/index.ts'

/** Returns a config under which the model is offered no tools of the host. */
export function withoutHostTools(host: Host, config: ConfigLayer): ConfigLayer {
  return stackLayers(config, toolless(host, config))
}

/**
 * Returns a config layer under which the model is offered no tools: none of tool plugins, and none that the
 * provider's API runs itself.
 */
function toolless(host: Host, config: ConfigLayer): ConfigLayer {
  const whole = mergeLayers(host.config, config)
  const tools = host.plugins.filter(({ kind }) => kind === 'tool').map(({ name }) => name)
  const without = (ids: readonly string[] = []) => ids.filter((id) => !tools.includes(id))
  return {
    disabled_plugins: [...without(whole.disabled_plugins), ...tools],
    enabled_plugins: without(whole.enabled_plugins),
    force_enabled_plugins: without(whole.force_enabled_plugins),
    settings: hostedByNone(whole.settings ?? {}),
  }
}

/** Tools that the model API runs itself are a setting of the provider. */
function hostedByNone(settings: { readonly [plugin: string]: unknown }) {
  const hosting = Object.entries(settings).filter(
    ([, own]) => typeof own === 'object' && own !== null && 'hosted_tools' in own,
  )
  return Object.fromEntries(
    hosting.map(([plugin]): [string, JsonObject] => [plugin, { hosted_tools: [] }]),
  )
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
 * A plan with the tools of environment hooks and the delegates that a request is offered: none where it is offered no
 * tools of the host, and none whose name a tool of the client has.
 */
export function withTools(
  { tools = [], delegates = [], hasSubagents = false, ...plan }: AgentPlan,
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
  }
}
