import type { PluginTool } from '@braidwork/core'
import { didYouMean, listed, type OfferedTool } from '@braidwork/core/internal'
import { type Config, type Diagnostic, pointerOf, type ToolPolicy } from '@braidwork/plugin'

/**
 * Returns the policy that the config sets for a tool. The key `<plugin>.<tool>` takes precedence over the name that
 * the model uses. The default is `allow`.
 */
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

/**
 * Warns of policies for tools that are not on offer: a policy with a misspelled name restricts nothing, and the tool
 * runs.
 */
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
      message: `The config has a policy for the tool "${name}", but no plugin offers that tool. Tools on offer: ${offered}.${didYouMean(name, keys)}`,
    }))
}
