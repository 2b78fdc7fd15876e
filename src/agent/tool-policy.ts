import type { Config, ToolPolicy } from '../plugin/index.ts'
import type { OfferedTool } from '../schema/offered-tools.ts'

/** What the config says of a tool, by `<plugin>.<tool>` before the name that the model calls; else `allow`. */
export function policyOf({ tool_policy: policies = {} }: Config, tool: OfferedTool): ToolPolicy {
  const { plugin, ownName, name } = tool
  const keys = plugin ? [`${plugin.name}.${ownName}`, name] : [name]
  const key = keys.find((candidate) => Object.hasOwn(policies, candidate))
  return (key === undefined ? undefined : policies[key]) ?? 'allow'
}
