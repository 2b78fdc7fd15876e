import { isObject, type ToolSafety } from '@braidwork/plugin'
import type { ServerSettings } from '../settings.ts'

/**
 * The marks of a tool: those of the config, or none, which counts as unsafe. What the server says of the tool can only
 * take a mark of safety away, because a server may lie. LR-02
 */
export function safetyOf(
  { safety, reached }: ServerSettings,
  tool: string,
  annotations: unknown,
): ToolSafety {
  const own = Object.hasOwn(safety, tool) ? safety[tool] : safety['*']
  const hints = isObject(annotations) ? annotations : {}
  const isReadOnly = own?.is_read_only === true && hints['readOnlyHint'] !== false
  return {
    is_read_only: isReadOnly,
    is_concurrency_safe: own?.is_concurrency_safe === true,
    is_destructive: own?.is_destructive !== false || hints['destructiveHint'] === true,
    is_idempotent: own?.is_idempotent === true && hints['idempotentHint'] !== false,
    capabilities: [isReadOnly ? 'read' : 'write', reached.kind === 'stdio' ? 'custom' : 'network'],
  }
}
