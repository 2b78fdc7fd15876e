import type { Edit, Explanation } from '@braidwork/core'
import type { InventoryTool } from '@braidwork/plugin'
import type { Identity } from './identity.ts'

/** Why a caller is offered no tools of the host: a text, and the same as a code. */
export interface Toolless {
  readonly reason: string
  readonly why: { readonly code: 'CALLER_TOOLLESS' | 'MODEL_TOOLLESS' }
}

/** Why there are no tools of the host: the token says so, or the published model. */
export function toollessFor({ host_tools }: Identity): Toolless {
  return host_tools === 'none'
    ? {
        reason: 'the token gives no tools of the host (host_tools)',
        why: { code: 'CALLER_TOOLLESS' },
      }
    : {
        reason: 'the model has no tools of the host (host_tools)',
        why: { code: 'MODEL_TOOLLESS' },
      }
}

/** Gives the reason to all tools: what else the config says of them makes no difference. */
export function toollessInventory(
  tools: readonly InventoryTool[],
  toolless: Toolless,
): readonly InventoryTool[] {
  return tools.map((tool) => ({ ...tool, ...toolless }))
}

/**
 * Gives the reason to the plugins of tools, and leaves out the changes of the config that turn one of them on. They would
 * change nothing.
 * @param tools the names of the plugins of tools
 */
export function toollessPlugins(
  plugins: readonly Explanation[],
  tools: ReadonlySet<string>,
  toolless: Toolless,
): readonly object[] {
  const isVain = (edit: Edit) => edit.edit !== 'set' && tools.has(edit.plugin)
  return plugins.map(({ change, ...rest }) => {
    const possible = change?.filter((edits) => !edits.some(isVain)) ?? []
    const left = { ...rest, change: possible.length > 0 ? possible : null }
    return tools.has(rest.plugin) ? { ...left, ...toolless } : left
  })
}
