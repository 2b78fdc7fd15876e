import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import { type Sampling, warnOfLoose } from '@braidwork/model-api/exchange'
import { type Context, isObject, type JsonObject, type ModelTool } from '@braidwork/plugin'
import type { Family } from '../models.ts'
import type { AnthropicSettings } from '../settings.ts'

type Hosted = { readonly [name: string]: JsonObject }

/**
 * Tools that the API runs, or knows by itself, by the names that settings have for them, in versions that
 * every model takes: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference.
 */
const BASIC: Hosted = {
  web_search: { type: 'web_search_20250305', name: 'web_search' },
  web_fetch: { type: 'web_fetch_20250910', name: 'web_fetch' },
  code_execution: { type: 'code_execution_20250825', name: 'code_execution' },
  tool_search: { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
  tool_search_bm25: { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
  memory: { type: 'memory_20250818', name: 'memory' },
}

/** The versions in which models that can do so filter what they find by code. */
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

/** A hosted tool by its name, or as the API takes it. */
function hostedTool(tool: string | JsonObject, { family, sampling }: Around): JsonObject {
  if (typeof tool !== 'string') return tool
  // Calls by code do not go with one call at a time.
  const isLatest = family.filtersFindings && sampling.parallel_tool_calls !== false
  const known = isLatest ? LATEST : BASIC
  return (Object.hasOwn(known, tool) ? known[tool] : undefined) ?? { type: tool }
}

/** The tools of the host, those of the API, and those of MCP servers. */
export function toolsOf(tools: readonly ModelTool[], around: Around): readonly JsonObject[] {
  const { hosted_tools: hosted = [], mcp_servers: servers = [] } = around.settings
  warnOfLoose(tools, around.settings, around)
  const offered = hosted.map((tool) => hostedTool(tool, around))
  const known = new Set(offered.map(({ mcp_server_name }) => mcp_server_name))
  const missing = servers.filter(({ name }) => !known.has(name))
  const names = new Set(offered.map(({ name }) => name))
  return [
    // A tool of the host stands in for the API's own of the same name: it is what runs its calls.
    ...tools.filter(({ name }) => !names.has(name)).map(customTool),
    ...offered,
    // A server whose tools are not named is refused.
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

/** A schema with the keywords alone that the API can hold a model to; nothing where there is none such. */
export function heldSchema(schema: JsonObject): JsonObject | undefined {
  try {
    return transformJSONSchema(schema)
  } catch {
    return undefined
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
