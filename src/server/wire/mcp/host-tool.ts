import { isObject, type JsonObject, type ToolSafety, type ToolSchema } from '@braidwork/plugin'
import { defined } from '../index.ts'
import type { McpTool } from './agent-tool.ts'

/** A tool of a config as MCP lists it. */
export function hostTool(
  { description, input_schema: input, output_schema: output, safety }: ToolSchema,
  name: string,
): McpTool {
  const annotations = annotationsOf(safety)
  return {
    name,
    description,
    inputSchema: { ...input, type: 'object' },
    ...(isObject(output) && output['type'] === 'object'
      ? { outputSchema: { ...output, type: 'object' } }
      : {}),
    ...(annotations ? { annotations } : {}),
  }
}

/** What a tool does not state counts as unsafe, in MCP too. */
function annotationsOf(safety: ToolSafety = {}): JsonObject | undefined {
  const { is_read_only, is_destructive, is_idempotent } = safety
  const hints = defined({
    readOnlyHint: is_read_only,
    destructiveHint: is_destructive,
    idempotentHint: is_idempotent,
  })
  return Object.keys(hints).length > 0 ? hints : undefined
}
