import type { Config } from 'braidwork/plugin'
import { isObject, type JsonObject, objectsIn, textIn } from '../../model-api/json.ts'
import { settingsOf } from '../../model-api/settings.ts'
import { ANTHROPIC } from '../profile.ts'
import type { AnthropicSettings } from '../settings.ts'

/** The betas that a kind of tool needs, by its type (https://platform.claude.com/docs/en/api/beta-headers). */
const OF_TOOLS: ReadonlyMap<unknown, string> = new Map([
  ['web_fetch_20250910', 'web-fetch-2025-09-10'],
  ['code_execution_20250522', 'code-execution-2025-05-22'],
  ['code_execution_20250825', 'code-execution-2025-08-25'],
  ['mcp_toolset', 'mcp-client-2025-11-20'],
  ['advisor_20260301', 'advisor-tool-2026-03-01'],
  ['memory_20250818', 'context-management-2025-06-27'],
  ['computer_20250124', 'computer-use-2025-01-24'],
  ['computer_20251124', 'computer-use-2025-11-24'],
])

/** The betas that a field of the body needs. */
const OF_FIELDS: ReadonlyMap<string, string> = new Map([
  ['mcp_servers', 'mcp-client-2025-11-20'],
  ['context_management', 'context-management-2025-06-27'],
  ['fallbacks', 'server-side-fallback-2026-07-01'],
  ['speed', 'fast-mode-2026-02-01'],
])

/** The header that turns on what a body asks for, where that is still beta, and what the settings name. */
export function betaHeaders(body: JsonObject, config: Config): { readonly [name: string]: string } {
  const { betas = [] } = settingsOf<AnthropicSettings>(config, ANTHROPIC)
  const needed = new Set([...betas, ...neededBy(body)])
  return needed.size > 0 ? { 'anthropic-beta': [...needed].join(',') } : {}
}

function neededBy(body: JsonObject): readonly string[] {
  const { container, context_management: context, output_config: output } = body
  const all = [
    ...objectsIn(body['tools']).map(({ type }) => OF_TOOLS.get(type)),
    ...[...OF_FIELDS].map(([field, beta]) => (body[field] ? beta : undefined)),
    isObject(container) && container['skills'] ? 'skills-2025-10-02' : undefined,
    isObject(output) && output['task_budget'] ? 'task-budgets-2026-03-13' : undefined,
    compacts(context) ? 'compact-2026-01-12' : undefined,
    hasUploads(body['messages']) ? 'files-api-2025-04-14' : undefined,
  ]
  return all.filter((beta) => beta !== undefined)
}

function compacts(context: unknown): boolean {
  const edits = isObject(context) ? objectsIn(context['edits']) : []
  return edits.some(({ type }) => textIn(type)?.startsWith('compact_'))
}

/** Whether a message refers to a file that was uploaded before. */
function hasUploads(messages: unknown): boolean {
  const blocks = objectsIn(messages).flatMap(({ content }) => objectsIn(content))
  return blocks.some(
    ({ type, source }) =>
      type === 'container_upload' || (isObject(source) && source['type'] === 'file'),
  )
}
