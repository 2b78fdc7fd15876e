import type { ToolSchema } from '@braidwork/plugin'
import { type Fields, tame } from './fields.ts'

const NAME = /^[A-Za-z0-9_-]{1,64}$/

/** How a protocol spells a client's tool. */
export interface ToolSpelling {
  /** The object that contains the name. */
  readonly fields: Fields
  /** The name of the field with the JSON Schema of the arguments. */
  readonly schemaField: string
}

/**
 * Separates the client's own tools from tools of the API, which are ignored and listed by type.
 * @param read returns the spelling of a client's tool, or the type of another one
 */
export function toolsIn(
  fields: Fields,
  read: (tool: Fields) => ToolSpelling | string,
): { readonly own: readonly ToolSpelling[]; readonly ignored: readonly string[] } {
  const all = (fields.list('tools') ?? []).map(read)
  return {
    own: all.filter((one) => typeof one === 'object'),
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

/** Decodes a client's tool. */
export function clientTool({ fields, schemaField }: ToolSpelling): ToolSchema {
  const name = fields.need('name')
  if (!NAME.test(name)) {
    throw fields.fault('name', 'must have at most 64 characters: letters, digits, "_" and "-"')
  }
  return {
    name,
    description: fields.text('description') ?? '',
    input_schema: fields.raw(schemaField) ?? { type: 'object', properties: {} },
  }
}

/**
 * Decodes tools and checks that their names are unique.
 * @throws {HostError} REQUEST_INVALID, at the second tool with the same name
 */
export function uniqueTools(tools: readonly ToolSpelling[]): readonly ToolSchema[] {
  const taken = new Set<string>()
  return tools.map((spelling) => {
    const tool = clientTool(spelling)
    if (taken.has(tool.name))
      throw spelling.fields.fault('name', 'is already the name of an earlier tool')
    taken.add(tool.name)
    return tool
  })
}
