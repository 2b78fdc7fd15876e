import { HostError, messageOf, toHostError } from '../errors.ts'
import { type AnyPlugin, type Config, readValue } from '../plugin/internal.ts'
import {
  type LoweredSchema,
  lowering,
  TOOL_SCHEMA_FORMATS,
  type ToolSchemaFormat,
} from '../schema/tools/index.ts'
import type { HostCore } from './core.ts'
import { type PluginTool, shownTools, withOpened } from './doors.ts'

/** How tool schemas are wanted. */
export interface ToolSchemaOptions {
  /** A format of model APIs, or `provider`: the one that the config's provider takes. */
  readonly for: ToolSchemaFormat | 'provider'
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
  { for: wanted }: ToolSchemaOptions,
): Promise<readonly LoweredTool[]> {
  const known: readonly string[] = [...TOOL_SCHEMA_FORMATS, 'provider']
  if (!known.includes(wanted)) {
    throw new HostError(
      'OPTION_INVALID',
      `"for" is ${JSON.stringify(wanted)}; formats of tool schemas are ${known.join(', ')}.`,
    )
  }
  return withOpened(core, config, {}, async (opened) => {
    const { provider } = opened.resolved.plugins
    const format = wanted === 'provider' ? formatOf(provider) : wanted
    const lower = lowering(format)
    const tools = shownTools(await opened.offer())
    return tools.map((tool) => ({ ...tool, ...loweredOrFault(lower, tool), format }))
  })
}

/** What a provider says that it takes; JSON Schema where it says nothing. */
function formatOf(provider: AnyPlugin): ToolSchemaFormat {
  const said = readValue(provider, 'toolSchemaFormat')
  return TOOL_SCHEMA_FORMATS.find((format) => format === said) ?? 'json-schema'
}

function loweredOrFault(
  lower: ReturnType<typeof lowering>,
  { name, plugin, input_schema }: PluginTool,
): LoweredSchema {
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
