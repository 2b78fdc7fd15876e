import { listed } from '@braidwork/core/internal'
import type { InventoryTool } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import type { UnknownTools } from '../catalog/index.ts'

/** The name that stands in an inventory for the tools of a server that nobody has seen. */
const PLACEHOLDER = 'unavailable'

/** The tools of an inventory whose names are not known: of servers that are not there, and of plugins that lack tags. */
export function unknownTools(inventory: readonly InventoryTool[]): readonly UnknownTools[] {
  const away = inventory.filter(
    ({ tool_name: name, policy, runtime_owner: owner }) =>
      owner === 'mcp_server' && policy === 'unavailable' && name.endsWith(`__${PLACEHOLDER}`),
  )
  return [...away.map(ofServer), ...ofPluginsOff(inventory)]
}

function ofServer({ tool_name: name, reason = '' }: InventoryTool): UnknownTools {
  return { prefix: name.slice(0, -PLACEHOLDER.length), reason: asSentence(reason) }
}

/** The plugins that lack the same tags are told together. */
function ofPluginsOff(inventory: readonly InventoryTool[]): readonly UnknownTools[] {
  const plugins = new Map<string, string[]>()
  for (const { tool_name: name, reason = '', why } of inventory) {
    if (why?.code !== 'PLUGIN_OFF' || why.rule !== 'missing tags') continue
    plugins.set(reason, [...(plugins.get(reason) ?? []), `"${name}"`])
  }
  return [...plugins].map(([reason, names]) => ({
    prefix: '',
    reason: `The tools of plugins that are off (${listed(names)}) are not known; ${reason}.`,
  }))
}
