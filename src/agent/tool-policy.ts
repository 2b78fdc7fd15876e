import type { PluginTool } from '@braidwork/core'
import { didYouMean, listed, type OfferedTool } from '@braidwork/core/internal'
import { type Config, type Diagnostic, pointerOf, type ToolPolicy } from '@braidwork/plugin'

/** What the config says of a tool, by `<plugin>.<tool>` before the name that the model calls; else `allow`. */
export function policyOf({ tool_policy: policies = {} }: Config, tool: OfferedTool): ToolPolicy {
  const { plugin, ownName, name } = tool
  const keys = policyKeys(name, plugin && { plugin: plugin.name, ownName })
  const key = keys.find((candidate) => Object.hasOwn(policies, candidate))
  return (key === undefined ? undefined : policies[key]) ?? 'allow'
}

function policyKeys(
  name: string,
  own?: { readonly plugin: string; readonly ownName: string },
): readonly string[] {
  return own ? [`${own.plugin}.${own.ownName}`, name] : [name]
}

/** A policy for a tool that is not there holds nobody back: a name misspelt lets the tool run. */
export function unusedPolicies(
  { tool_policy: policies = {} }: Config,
  tools: readonly PluginTool[],
): readonly Diagnostic[] {
  const keys = new Set(
    tools.flatMap(({ name, plugin, ownName = name }) => policyKeys(name, { plugin, ownName })),
  )
  const offered = listed(tools.map(({ name }) => name)) || 'none'
  return Object.keys(policies)
    .filter((name) => !keys.has(name))
    .map((name) => ({
      code: 'POLICY_UNUSED',
      level: 'warning',
      pointer: pointerOf(['tool_policy', name]),
      message: `There is a policy for the tool "${name}", and no such tool; offered are ${offered}.${didYouMean(name, keys)}`,
    }))
}
