import type { InventoryTool } from '@braidwork/plugin'
import { ToolCatalog } from '../catalog/index.ts'
import type { AgentSpec } from '../specs/index.ts'
import type { AgentWarning } from './resolved-agent.ts'

/**
 * The warnings of tools by which an agent would ask others, and which its spec forgets to allow: an allow field lists
 * tools, but not these. A tool that the spec excludes is meant to be left out. AW-37
 */
export function withheldAskers(
  { id: agent, allowed_tools, allowed_tool_patterns, ...spec }: AgentSpec,
  tools: readonly InventoryTool[],
): readonly AgentWarning[] {
  const allowing = new ToolCatalog({
    ...(allowed_tools === undefined ? {} : { allowed_tools }),
    ...(allowed_tool_patterns === undefined ? {} : { allowed_tool_patterns }),
  })
  const { excluded_tools = [], excluded_tool_patterns = [] } = spec
  const excluding = new ToolCatalog({ excluded_tools, excluded_tool_patterns })
  const field = allowed_tools === undefined ? 'allowed_tool_patterns' : 'allowed_tools'
  return tools
    .filter(({ runtime_owner: owner }) => owner === 'subagent')
    .map(({ tool_name: name, metadata_ref: id }) => ({ name, id }))
    .filter((tool) => allowing.reasonAgainst(tool) && !excluding.reasonAgainst(tool))
    .map(({ name: entry }) => ({
      code: 'ASKING_TOOL_WITHHELD',
      agent,
      field,
      entry,
      message: `The agent has "${entry}" to ask others, but its catalog does not allow that tool. Add it, or exclude it.`,
    }))
}
