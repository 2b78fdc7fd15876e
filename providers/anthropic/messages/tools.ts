import type { ToolSchema } from 'braidwork/plugin'
import { objectSchema } from '../../model-api/content.ts'
import { isObject, type JsonObject } from '../../model-api/json.ts'
import type { Sampling } from '../../model-api/settings.ts'
import type { AnthropicSettings } from '../settings.ts'

/** Tools that the API runs, or knows by itself, by the names that settings have for them. */
const HOSTED: { readonly [name: string]: JsonObject } = {
  web_search: { type: 'web_search_20250305', name: 'web_search' },
  web_fetch: { type: 'web_fetch_20250910', name: 'web_fetch' },
  code_execution: { type: 'code_execution_20250825', name: 'code_execution' },
  tool_search: { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
  tool_search_bm25: { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
  memory: { type: 'memory_20250818', name: 'memory' },
}

/** A hosted tool by its name, or as the API takes it. */
function hostedTool(tool: string | JsonObject): JsonObject {
  if (typeof tool !== 'string') return tool
  return (Object.hasOwn(HOSTED, tool) ? HOSTED[tool] : undefined) ?? { type: tool }
}

/** The tools of the host, those of the API, and those of MCP servers. */
export function toolsOf(
  tools: readonly ToolSchema[],
  { hosted_tools: hosted = [], mcp_servers: servers = [], strict_tools }: AnthropicSettings,
): readonly JsonObject[] {
  const offered = hosted.map(hostedTool)
  const known = new Set(offered.map(({ mcp_server_name }) => mcp_server_name))
  const missing = servers.filter(({ name }) => !known.has(name))
  return [
    // A tool of the host stands in for the API's own of the same name: it is what runs its calls.
    ...tools
      .filter(({ name }) => !offered.some((own) => own['name'] === name))
      .map((tool) => customTool(tool, strict_tools === true)),
    ...offered,
    ...missing.map(({ name }) => ({ type: 'mcp_toolset', mcp_server_name: name })),
  ]
}

function customTool({ name, description, input_schema }: ToolSchema, strict: boolean): JsonObject {
  return {
    name,
    ...(description ? { description } : {}),
    input_schema: objectSchema(input_schema),
    ...(strict ? { strict } : {}),
  }
}

/** How the model is to choose among its tools. */
export function choiceOf({ tool_choice: choice, parallel_tool_calls }: Sampling): JsonObject {
  const alone = parallel_tool_calls === false ? { disable_parallel_tool_use: true } : {}
  if (isObject(choice)) return { tool_choice: { type: 'tool', name: choice['tool'], ...alone } }
  if (choice === 'none') return { tool_choice: { type: 'none' } }
  if (choice === 'required') return { tool_choice: { type: 'any', ...alone } }
  const isNeeded = choice === 'auto' || parallel_tool_calls === false
  return isNeeded ? { tool_choice: { type: 'auto', ...alone } } : {}
}

export function isForced({ tool_choice: choice }: Sampling): boolean {
  return choice === 'required' || isObject(choice)
}
