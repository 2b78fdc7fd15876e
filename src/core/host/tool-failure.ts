import { type ContextOf, messageOf } from '@braidwork/plugin/internal'
import type { OfferedTool } from '../tool-schemas/index.ts'
import { throwPlace } from './throw-place.ts'

/** Writes the error of a plugin's tool to the log, as a warning: the request goes on, and only the model is told of it. */
export function logFailure(
  { plugin, ownName }: OfferedTool,
  error: unknown,
  contextOf: ContextOf,
): void {
  if (!plugin) return
  const place = throwPlace(error)
  const where = place === undefined ? '' : ` at ${place}`
  const message = `Tool "${ownName}" of "${plugin.name}" threw${where}: ${messageOf(error)}`
  const facts = { tool: ownName, ...(place === undefined ? {} : { place }) }
  contextOf(plugin.name, 'tools').log({ level: 'warn', message, ...facts })
}
