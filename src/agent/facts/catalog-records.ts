import type { InventoryTool } from '@braidwork/plugin'
import type { EventOf } from './fact.ts'
import type { RecordDraft } from './record.ts'

/** The tools of a leg: which are offered, and of all others why not. LT-08 */
export function catalogRecords(
  { seq, tools }: EventOf<'tool-inventory'>,
  runId: string,
  time: string,
): readonly RecordDraft[] {
  const offered = tools.filter((tool) => tool.offered)
  const others = tools.filter((tool) => !tool.offered)
  const isBlocked = ({ policy }: InventoryTool) => policy === 'denied'
  const surface = {
    surface_id: `${runId}/catalog-${seq}`,
    scope: 'run',
    created_at: time,
    producer: 'braidwork',
    tool_refs: tools.map(({ metadata_ref }) => metadata_ref),
    loaded_tools: offered.map(({ metadata_ref }) => metadata_ref),
    blocked_tools: others.filter(isBlocked).map(leftOut),
    excluded_tools: others.filter((tool) => !isBlocked(tool)).map(leftOut),
    runtime_refs: [runId],
  }
  return [
    { kind: 'tool_surface', data: surface },
    ...tools.map((tool): RecordDraft => {
      const { metadata_ref } = tool
      return { kind: 'tool_declaration', tool: metadata_ref, data: declaration(tool) }
    }),
    ...others.map((tool): RecordDraft => {
      const { metadata_ref } = tool
      return { kind: 'deferred_tool', tool: metadata_ref, data: unavailable(tool) }
    }),
  ]
}

function leftOut({ metadata_ref, policy, reason }: InventoryTool): object {
  return { tool_id: metadata_ref, policy, ...(reason === undefined ? {} : { reason }) }
}

function declaration(tool: InventoryTool): object {
  const { metadata_ref, tool_name, plugin = 'caller', description = '', input_schema } = tool
  return {
    tool_id: metadata_ref,
    namespace: plugin,
    name: tool_name,
    description,
    lifecycle: tool.offered ? 'available' : 'disabled',
    tool_kind: tool.runtime_owner,
    capability_refs: tool.capabilities,
    ...(input_schema === undefined ? {} : { input_contract: input_schema }),
    annotations: { ...tool.safety, policy: tool.policy },
  }
}

function unavailable({
  metadata_ref,
  tool_name,
  plugin = 'caller',
  reason,
}: InventoryTool): object {
  return {
    tool_id: metadata_ref,
    name: tool_name,
    namespace: plugin,
    schema_visibility: 'internal',
    loading_state: 'unavailable',
    ...(reason === undefined ? {} : { reason }),
  }
}
