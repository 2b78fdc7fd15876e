import type { CallerTool } from '@braidwork/core'
import type { ToolSchema } from '@braidwork/plugin'
import type { Fields } from './fields.ts'
import { tame } from './quoted.ts'
import type { ToolWord, ToolWords } from './tool-words.ts'

const NAME = /^[A-Za-z0-9_-]{1,64}$/

/** A client's tool as the model is shown it. An explicit `strict: false` is kept, because the default is the provider's. */
export type ClientTool = ToolSchema & Pick<CallerTool, 'strict'>

/** How a protocol spells a client's tool. */
export interface ToolSpelling {
  /** The object that contains the name. */
  readonly fields: Fields
  /** The name of the field with the JSON Schema of the arguments. */
  readonly schemaField: string
  /** The tool as the model is shown it, if it has no fields of this form. */
  readonly tool?: ClientTool
  /** How the client names the tool, if the model is shown it in another way. */
  readonly word?: ToolWord
}

/**
 * Separates the client's own tools from tools of the API, which are ignored and listed by type.
 * @param read returns the spellings of a client's tools, or the type of another one
 */
export function toolsIn(
  fields: Fields,
  read: (tool: Fields) => readonly ToolSpelling[] | string,
): { readonly own: readonly ToolSpelling[]; readonly ignored: readonly string[] } {
  const all = (fields.list('tools') ?? []).map((tool) => {
    const spelled = read(tool)
    if (typeof spelled === 'string') tool.leave()
    return spelled
  })
  return {
    own: all.flatMap((one) => (typeof one === 'object' ? one : [])),
    ignored: all.flatMap((one) => (typeof one === 'string' ? [`tools.${tame(one)}`] : [])),
  }
}

/**
 * Reads whether a request wants no tools of the host: `braidwork: {host_tools: "none"}`, an extension of each API.
 * @throws {HostError} REQUEST_INVALID, also for other extensions
 */
export function hostToolsIn(fields: Fields): { readonly hostTools?: 'none' } {
  const own = fields.object('braidwork')
  const hostTools = own?.oneOf('host_tools', ['none'])
  const [unknown] = own?.unread() ?? []
  if (own && unknown !== undefined) throw own.fault(unknown, 'is not known; there is "host_tools"')
  return hostTools === undefined ? {} : { hostTools }
}

/** Reads whether a client wants a tool whose calls need not follow its schema. */
export function strictIn(fields: Fields): Pick<CallerTool, 'strict'> {
  return fields.is('strict', false) ? { strict: false } : {}
}

/** Decodes a client's tool. */
export function clientTool({ fields, schemaField, tool }: ToolSpelling): ClientTool {
  const name = tool?.name ?? fields.need('name')
  if (!NAME.test(name)) {
    throw fields.fault('name', 'must have at most 64 characters: letters, digits, "_" and "-"')
  }
  if (tool) return tool
  return {
    name,
    description: fields.text('description') ?? '',
    input_schema: fields.raw(schemaField) ?? { type: 'object', properties: {} },
    ...strictIn(fields),
  }
}

/** The tools of a request whose tool choice may list those that it allows. */
export interface AllowedTools {
  readonly tools: readonly ClientTool[]
  /** Whether the tool choice counts. It is ignored with a list that has none of the client's tools. */
  readonly hasChoice: boolean
  readonly ignored: readonly string[]
}

/**
 * Restricts a client's tools to those that its tool choice allows. Names of other tools are ignored.
 * @param names the names of the allowed tools, as the model is shown them; undefined if all are allowed
 */
export function allowedTools(
  tools: readonly ClientTool[],
  names: readonly string[] | undefined,
): AllowedTools {
  if (names === undefined) return { tools, hasChoice: true, ignored: [] }
  const allowed = new Set(names)
  const left = tools.filter(({ name }) => allowed.has(name))
  const hasChoice = left.length > 0
  return {
    tools: hasChoice ? left : tools,
    hasChoice,
    ignored: hasChoice && left.length === allowed.size ? [] : ['tool_choice.allowed_tools'],
  }
}

/** Returns the words of those tools that the model is shown in another way than the client names them. */
export function wordsOf(tools: readonly ToolSpelling[]): { readonly toolWords?: ToolWords } {
  const words = tools.flatMap(({ tool, word }) =>
    tool && word ? [[tool.name, word] as const] : [],
  )
  return words.length === 0 ? {} : { toolWords: Object.fromEntries(words) }
}

/**
 * Decodes tools and checks that their names are unique.
 * @throws {HostError} REQUEST_INVALID, at the second tool with the same name
 */
export function uniqueTools(tools: readonly ToolSpelling[]): readonly ClientTool[] {
  const taken = new Set<string>()
  return tools.map((spelling) => {
    const tool = clientTool(spelling)
    if (taken.has(tool.name))
      throw spelling.fields.fault('name', 'is already the name of an earlier tool')
    taken.add(tool.name)
    return tool
  })
}

/** Why a request cannot bring MCP servers of its own. */
export const NO_MCP_SERVERS =
  'this server connects to no MCP server that a request names; leave it out, and have the operator set up the plugin "mcp"'
