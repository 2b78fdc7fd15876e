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
import { type PluginTool, shownTools, withOpened } from './doors.ts'

/** How tool schemas are wanted. */
export interface ToolSchemaOptions {
  /** A format of model APIs, or `provider`: the schemas that the config's provider gets and sends. */
  readonly for: ToolSchemaFormat | 'provider'
  /** Tools of the caller, after the plugins', as in a request. */
  readonly tools?: readonly CallerTool[]
}

/** A tool in the words of a format, and what they could not say. */
export interface LoweredTool extends PluginTool, LoweredSchema {
  readonly input_schema: LoweredSchema['input_schema']
  readonly format: ToolSchemaFormat
}

/** @throws {HostError} OPTION_INVALID, TOOL_SCHEMA_INVALID with the plugin and the pointer into the schema */
export async function loweredTools(
  core: HostCore,
  config: Config,
  { for: wanted, tools: brought = [] }: ToolSchemaOptions,
): Promise<readonly LoweredTool[]> {
  const known: readonly string[] = [...TOOL_SCHEMA_FORMATS, 'provider']
  if (!known.includes(wanted)) {
    throw new HostError(
      'OPTION_INVALID',
      `"for" is ${JSON.stringify(wanted)}; formats of tool schemas are ${known.join(', ')}.`,
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

/** A tool as the provider gets it: unchanged where the provider names no format. */
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
