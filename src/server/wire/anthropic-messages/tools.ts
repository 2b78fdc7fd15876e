import { type Fields, NO_MCP_SERVERS, quoted, type ToolSpelling } from '../index.ts'

/** Tools with a schema of the API whose calls the client runs. */
const NEEDED = /^(?:bash|text_editor|computer|memory)_\d/
/** Tools that the API itself runs. All their versions but a few have a date. */
const HOSTED = /^(?:web_search|web_fetch|code_execution|tool_search)|_20\d{6}$/
/** The fields in which other APIs have the schema of a tool. */
const ELSEWHERE = ['parameters', 'inputSchema', 'schema'] as const

/**
 * Decodes a tool, or returns the type of one that the API itself would run.
 * @throws {HostError} REQUEST_INVALID for a tool without which the client would not work, and for one that is none
 */
export function toolOf(tool: Fields): readonly ToolSpelling[] | string {
  const type = tool.text('type') ?? 'custom'
  if (type === 'custom') return [ownTool(tool)]
  if (type === 'mcp_toolset') throw tool.fault('type', `is ${type}, and ${NO_MCP_SERVERS}`)
  if (NEEDED.test(type)) {
    const remedy = 'define it with an "input_schema"'
    const fault = `is ${quoted(type)}, a tool that this server does not have; ${remedy}`
    throw tool.fault('type', fault)
  }
  if (HOSTED.test(type)) return type
  throw tool.fault('type', faultOfType(type))
}

function ownTool(tool: Fields): ToolSpelling {
  if (tool.raw('input_schema') !== undefined) return { fields: tool, schemaField: 'input_schema' }
  const given = ELSEWHERE.find((name) => tool.any(name) !== undefined)
  const remedy =
    given === undefined
      ? 'give the JSON Schema of the arguments'
      : `give the JSON Schema of the arguments here, and not as "${given}"`
  throw tool.fault('input_schema', `is missing; ${remedy}`)
}

function faultOfType(type: string): string {
  return type === 'function'
    ? 'is function, the form of /v1/chat/completions; leave it out, and give "name", "description" and "input_schema" on the tool itself'
    : `must be custom, or left out, for a tool of the client, not ${quoted(type)}`
}
