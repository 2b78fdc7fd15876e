import { canonical, type OpenedConfig } from '@braidwork/core/internal'
import type { InventoryTool, RunEventBody } from '@braidwork/plugin'

/**
 * The event that tells the tools of a leg. There is none if only tools of the host itself exist that are not available,
 * or if the tools are as they were told before. LR-01
 */
export function inventoryEvents(
  { inventory: tools }: OpenedConfig,
  told: readonly InventoryTool[] = [],
): readonly RunEventBody[] {
  if (tools.every(isWithheld)) return []
  const isTold = told.length > 0 && canonical(tools) === canonical(told)
  return isTold ? [] : [{ type: 'tool-inventory', tools }]
}

/** Whether a tool of the host is not available. */
function isWithheld({ plugin, policy }: InventoryTool): boolean {
  return plugin === undefined && policy === 'unavailable'
}
