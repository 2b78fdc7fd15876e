import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import { type Sampling, warnOfLoose } from '@braidwork/model-api/exchange'
import { type Context, isObject, type JsonObject, type ModelTool } from '@braidwork/plugin'
import type { Family } from '../models.ts'
import type { AnthropicSettings } from '../settings.ts'

type Hosted = { readonly [name: string]: JsonObject }

/**
 * Tools that the API executes or defines, by their names in the settings, in versions that every model supports:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference.
 */
const BASIC: Hosted = {
  web_search: { type: 'web_search_20250305', name: 'web_search' },
  web_fetch: { type: 'web_fetch_20250910', name: 'web_fetch' },
  code_execution: { type: 'code_execution_20250825', name: 'code_execution' },
  tool_search: { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
  tool_search_bm25: { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
  memory: { type: 'memory_20250818', name: 'memory' },
}

/** Newer versions, for models that can filter search results with code. */
const LATEST: Hosted = {
  ...BASIC,
  web_search: { type: 'web_search_20260318', name: 'web_search' },
  web_fetch: { type: 'web_fetch_20260318', name: 'web_fetch' },
  code_execution: { type: 'code_execution_20260521', name: 'code_execution' },
}

interface Around {
  readonly settings: AnthropicSettings
  readonly sampling: Sampling
  readonly model: string
  readonly family: Family
  readonly warn: Context['warn']
}

/** A hosted tool, given by its name or in the API's own format. */
function hostedTool(tool: string | JsonObject, { family, sampling }: Around): JsonObject {
  if (typeof tool !== 'string') return tool
  // Calls made by code are not possible when parallel tool calls are off.
  const isLatest = family.filtersFindings && sampling.parallel_tool_calls !== false
  const known = isLatest ? LATEST : BASIC
  return (Object.hasOwn(known, tool) ? known[tool] : undefined) ?? { type: tool }
}

/** All tools of a request: the host's, the API's, and those of MCP servers. */
export function toolsOf(tools: readonly ModelTool[], around: Around): readonly JsonObject[] {
  const { hosted_tools: hosted = [], mcp_servers: servers = [] } = around.settings
  warnOfLoose(tools, around.settings, around)
  const offered = hosted.map((tool) => hostedTool(tool, around))
  const known = new Set(offered.map(({ mcp_server_name }) => mcp_server_name))
  const missing = servers.filter(({ name }) => !known.has(name))
  const names = new Set(offered.map(({ name }) => name))
  return [
    // If a host tool has the name of a tool that the API defines, only the API's definition is sent. The host tool
    // executes the calls.
    ...tools.filter(({ name }) => !names.has(name)).map(customTool),
    ...offered,
    // The API refuses an MCP server without a toolset.
    ...missing.map(({ name }) => ({ type: 'mcp_toolset', mcp_server_name: name })),
  ]
}

function customTool({ name, description, input_schema, strict }: ModelTool): JsonObject {
  return {
    name,
    ...(description ? { description } : {}),
    input_schema,
    ...(strict ? { strict } : {}),
  }
}

/** A schema reduced to keywords that the API can enforce; `undefined` if that is impossible. */
export function heldSchema(schema: JsonObject): JsonObject | undefined {
  try {
    return transformJSONSchema(schema)
  } catch {
    return undefined
  }
}

/** The `tool_choice` field. */
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
