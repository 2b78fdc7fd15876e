import type { ToolSchema } from '@braidwork/plugin'
import type { OfferedTool } from '../../tool-schemas/index.ts'

/** A tool schema with the name of its plugin. */
export interface PluginTool extends ToolSchema {
  readonly plugin: string
  /** The tool's name in its plugin, if the model sees another name. */
  readonly ownName?: string
}

/** Converts tools on offer to the form that `host.toolSchemas` returns. */
export function shownTools(offered: readonly OfferedTool[]): readonly PluginTool[] {
  return offered.map(({ plugin, name, ownName, schema }) => ({
    plugin: plugin?.name ?? '',
    ...schema,
    ...(name === ownName ? {} : { ownName }),
  }))
}
