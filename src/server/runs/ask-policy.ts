import type { ConfigLayer, Host } from '@braidwork/core'
import type { ToolPolicy } from '@braidwork/plugin'

/** Returns a config layer that replaces each policy `ask` with `policy`, for protocols that cannot ask a person. */
export function withoutAsking(host: Host, config: ConfigLayer, policy: ToolPolicy): ConfigLayer {
  const policies = { ...host.config.tool_policy, ...config.tool_policy }
  const asked = Object.entries(policies).filter(([, of]) => of === 'ask')
  return { tool_policy: Object.fromEntries(asked.map(([tool]) => [tool, policy])) }
}
