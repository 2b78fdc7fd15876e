import { settingsOf } from '@braidwork/model-api'
import { objectsIn, textIn } from '@braidwork/model-api/exchange'
import { type Config, isObject, type JsonObject } from '@braidwork/plugin'
import { ANTHROPIC } from '../profile.ts'
import type { AnthropicSettings } from '../settings.ts'

/**
 * The beta features that a kind of tool needs, by the tool's type. Web search and fetch, code execution, tool
 * search, memory, files and skills are no longer beta (https://platform.claude.com/docs/en/release-notes/overview,
 * and the SDK's types of `messages` compared with those of `beta.messages`).
 */
const OF_TOOLS: ReadonlyMap<unknown, string> = new Map([
  ['mcp_toolset', 'mcp-client-2025-11-20'],
  ['advisor_20260301', 'advisor-tool-2026-03-01'],
  ['computer_20250124', 'computer-use-2025-01-24'],
  ['computer_20251124', 'computer-use-2025-11-24'],
])

/** The beta features that a field of the request body needs. */
const OF_FIELDS: ReadonlyMap<string, string> = new Map([
  ['mcp_servers', 'mcp-client-2025-11-20'],
  ['context_management', 'context-management-2025-06-27'],
  ['compaction', 'compact-2026-09-04'],
  ['speed', 'fast-mode-2026-02-01'],
])

/** The beta features without which the API rejects certain blocks of an earlier answer. */
const OF_BLOCKS: ReadonlyMap<unknown, string> = new Map([
  ['mcp_tool_use', 'mcp-client-2025-11-20'],
  ['mcp_tool_result', 'mcp-client-2025-11-20'],
  ['mcp_tool_listing', 'mcp-client-2026-09-15'],
  ['compaction', 'compact-2026-01-12'],
  ['fallback', 'server-side-fallback-2026-07-01'],
  ['advisor_tool_result', 'advisor-tool-2026-03-01'],
])

/** The header that enables the beta features that a request body uses, and those that the settings name. */
export function betaHeaders(body: JsonObject, config: Config): { readonly [name: string]: string } {
  const { betas = [] } = settingsOf<AnthropicSettings>(config, ANTHROPIC)
  const needed = new Set([...betas, ...neededBy(body)])
  return needed.size > 0 ? { 'anthropic-beta': [...needed].join(',') } : {}
}

function neededBy(body: JsonObject): readonly string[] {
  const { context_management: context, output_config: output, thinking, fallbacks } = body
  const blocks = objectsIn(body['messages']).flatMap(({ content }) => objectsIn(content))
  const all = [
    ...objectsIn(body['tools']).map(({ type }) => OF_TOOLS.get(type)),
    ...[...OF_FIELDS].map(([field, beta]) => (body[field] ? beta : undefined)),
    ...blocks.map(({ type }) => OF_BLOCKS.get(type)),
    isObject(output) && output['task_budget'] ? 'task-budgets-2026-03-13' : undefined,
    compacts(context) ? 'compact-2026-01-12' : undefined,
    ...thinkingBetas(thinking),
    ...fallbackBetas(fallbacks),
  ]
  return all.filter((beta) => beta !== undefined)
}

function thinkingBetas(thinking: unknown): readonly string[] {
  if (!isObject(thinking)) return []
  const updates = thinking['display'] === 'updates' ? ['thinking-display-updates-2026-08-18'] : []
  return thinking['block_binding'] ? [...updates, 'thinking-binding-controls-2026-08-01'] : updates
}

/** To let the server choose the fallback model needs a newer beta than to name a list of models. */
function fallbackBetas(fallbacks: unknown): readonly string[] {
  if (!fallbacks) return []
  return [`server-side-fallback-2026-0${Array.isArray(fallbacks) ? 6 : 7}-01`]
}

function compacts(context: unknown): boolean {
  const edits = isObject(context) ? objectsIn(context['edits']) : []
  return edits.some(({ type }) => textIn(type)?.startsWith('compact_'))
}
