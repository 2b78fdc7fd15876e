import { type Config, HostError } from '@braidwork/plugin'
import { messageOf, toHostError } from '@braidwork/plugin/internal'
import {
  type CallerTool,
  type FormattedSchema,
  type Lower,
  type LoweredSchema,
  loweredTool,
  lowering,
  TOOL_SCHEMA_FORMATS,
  type ToolSchemaFormat,
} from '../tool-schemas/index.ts'
import type { HostCore } from './core.ts'
import { withOpened } from './doors.ts'
import { type PluginTool, shownTools } from './tools/shown-tools.ts'

/** Options for tool schemas in a model API's format. */
export interface ToolSchemaOptions {
  /** The format of the schemas. `provider` stands for the format that the config's provider takes. */
  readonly for: ToolSchemaFormat | 'provider'
  /** Tools of the caller. They follow the plugins' tools, as in a request. */
  readonly tools?: readonly CallerTool[] | undefined
}

/** A tool in a format, with a list of the parts of its schema that the format cannot express. */
export interface LoweredTool extends PluginTool, LoweredSchema {
  readonly input_schema: LoweredSchema['input_schema']
  readonly format: ToolSchemaFormat
}

/** @throws {HostError} OPTION_INVALID, TOOL_SCHEMA_INVALID with the plugin and a pointer into the schema */
export async function loweredTools(
  core: HostCore,
  config: Config,
  { for: wanted, tools: brought = [] }: ToolSchemaOptions,
): Promise<readonly LoweredTool[]> {
  const known: readonly string[] = [...TOOL_SCHEMA_FORMATS, 'provider']
  if (!known.includes(wanted)) {
    throw new HostError(
      'OPTION_INVALID',
      `"for" is ${JSON.stringify(wanted)}; the formats of tool schemas are ${known.join(', ')}.`,
    )
  }
  return withOpened(core, config, { tools: brought }, async (opened) => {
    const offered = await opened.offer()
    const tools = shownTools(offered)
    if (wanted === 'provider') return tools.map((tool, at) => asSent(tool, offered[at]?.lowered))
    const lower = lowering(wanted)
    return tools.map((tool) => asLowered(tool, { ...loweredOrFault(lower, tool), format: wanted }))
  })
}

/** A tool as the provider receives it: unchanged if the provider names no format. */
function asSent(tool: PluginTool, lowered: FormattedSchema | undefined): LoweredTool {
  if (lowered) return asLowered(tool, lowered)
  return { ...tool, lost: [], format: 'json-schema' }
}

function asLowered(tool: PluginTool, lowered: FormattedSchema): LoweredTool {
  const { lost, format } = lowered
  return { ...loweredTool(tool, lowered), lost, format }
}

function loweredOrFault(lower: Lower, { name, plugin, input_schema }: PluginTool): LoweredSchema {
  try {
    return lower(input_schema)
  } catch (error) {
    const { pointer } = toHostError(error)
    throw new HostError(
      'TOOL_SCHEMA_INVALID',
      `"${name}" of tool "${plugin}" cannot be offered: ${messageOf(error)}`,
      { plugin, pointer, cause: error },
    )
  }
}
