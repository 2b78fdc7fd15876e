import type { ToolSchema } from '@braidwork/plugin'
import { type Fields, tame } from './fields.ts'

const NAME = /^[A-Za-z0-9_-]{1,64}$/

/** How a protocol spells a tool of the client. */
export interface ToolSpelling {
  /** Where the object with the name stands. */
  readonly fields: Fields
  /** The field with the schema of the arguments. */
  readonly schemaField: string
}

/**
 * The client's own tools of a request, and what else its API has for tools, which is ignored by name.
 * @param read how a tool is spelled, or its type where it is none of the client's
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

/** A tool of the client. */
export function clientTool({ fields, schemaField }: ToolSpelling): ToolSchema {
  const name = fields.need('name')
  if (!NAME.test(name)) {
    throw fields.fault('name', 'has letters, digits, "_" and "-", 64 of them at most')
  }
  return {
    name,
    description: fields.text('description') ?? '',
    input_schema: fields.raw(schemaField) ?? { type: 'object', properties: {} },
  }
}

/**
 * Tools with names of their own.
 * @throws {HostError} REQUEST_INVALID, at the second of one name
 */
export function uniqueTools(tools: readonly ToolSpelling[]): readonly ToolSchema[] {
  const taken = new Set<string>()
  return tools.map((spelling) => {
    const tool = clientTool(spelling)
    if (taken.has(tool.name)) throw spelling.fields.fault('name', 'is the name of a tool before it')
    taken.add(tool.name)
    return tool
  })
}
